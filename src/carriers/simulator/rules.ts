import { drawOutcome, type OutcomeChances } from '../../domain/drawn-outcome.js';
import { type RefusalOutcome } from '../../domain/refused-by.js';
import { type CarrierEventStatus } from '../carrier.js';

/**
 * How a simulated carrier reports a call: each event once, never, each twice, or the end before the
 * beginning.
 */
export const SIMULATOR_REPORTS = ['once', 'none', 'twice', 'disordered'] as const;
export type SimulatorReports = (typeof SIMULATOR_REPORTS)[number];

/** The behaviour of a call with one outcome: the answer to the dial, the end, the reports and the listing. */
export interface SimulatorBehaviour {
  answer: 'accept' | 'refuse' | 'throttle' | 'hang' | 'error' | 'reset';
  end: Exclude<CarrierEventStatus, 'in_progress'>;
  /** The reason of a failed call; by default `simulated_failure`. */
  reason?: RefusalOutcome;
  reports: SimulatorReports;
  /** Whether `findCall` finds the call, from its acceptance on. */
  listed: boolean;
  /** Answers the dial only after `lateMs`. */
  late?: boolean;
}

const answered = { answer: 'accept', end: 'completed', reports: 'once', listed: true } as const;

/**
 * Every outcome by name. The ambiguous outcomes differ in how they can be resolved later. `late` is resolved
 * by a callback, `error` and `reset` by the listing, `hang` only by an operator. A rule's `reports` and
 * `listed` override the values of its outcome.
 */
export const SIMULATOR_OUTCOMES = {
  completed: answered,
  busy: { ...answered, end: 'busy' },
  no_answer: { ...answered, end: 'no_answer' },
  voicemail: { ...answered, end: 'voicemail' },
  failed: { ...answered, end: 'failed' },
  declined: { ...answered, end: 'failed', reason: 'declined' },
  network_blocked: { ...answered, end: 'failed', reason: 'network_blocked' },
  refuse: { answer: 'refuse', end: 'failed', reports: 'none', listed: false },
  throttled: { answer: 'throttle', end: 'failed', reports: 'none', listed: false },
  hang: { answer: 'hang', end: 'completed', reports: 'none', listed: false },
  error: { answer: 'error', end: 'completed', reports: 'none', listed: true },
  reset: { answer: 'reset', end: 'completed', reports: 'none', listed: true },
  late: { ...answered, late: true },
  silent: { ...answered, reports: 'none' },
  duplicate: { ...answered, reports: 'twice' },
  disorder: { ...answered, reports: 'disordered' },
} as const satisfies Record<string, SimulatorBehaviour>;

export type SimulatorOutcome = keyof typeof SIMULATOR_OUTCOMES;

/** The reported result of a completed call. */
export interface SimulatorResult {
  disposition?: string;
  /** ISO 8601 with an offset. */
  callbackAt?: string;
  optOut?: boolean;
}

/** The outcome of dials to some numbers. The first rule that matches applies. */
export interface SimulatorRule {
  /** An E.164 number, or a prefix of one followed by `*`; a single `*` matches every number. */
  match: string;
  /** The outcome of every dial. A rule has exactly one of `outcome`, `outcomes` and `assume`. */
  outcome?: SimulatorOutcome;
  /** The n-th dial to a number has the n-th outcome; the last outcome repeats. */
  outcomes?: readonly SimulatorOutcome[];
  /**
   * The chances of outcomes. An absent chance is 0, and the remaining chance is that of `failed`. The n-th
   * dial to a number has the same outcome as in a forecast with this `seed` (default 0).
   */
  assume?: Partial<OutcomeChances>;
  seed?: number;
  /** Reported with a completed call. */
  result?: SimulatorResult;
  acceptMs?: number;
  ringMs?: number;
  talkMs?: number;
  /** For the outcome `throttled`: the pause before the next request, in ms. */
  retryAfterMs?: number;
  reports?: SimulatorReports;
  listed?: boolean;
}

/** The first rule for a destination, if there is one. */
export function ruleFor(rules: readonly SimulatorRule[], to: string): SimulatorRule | undefined {
  return rules.find(({ match }) => (match.endsWith('*') ? to.startsWith(match.slice(0, -1)) : to === match));
}

/** @param dial 1 for the first dial to the number. */
export function outcomeOf(rule: SimulatorRule | undefined, dial: number, to: string): SimulatorOutcome {
  if (rule?.assume) return drawOutcome(rule.assume, rule.seed ?? 0, to, dial);
  return rule?.outcomes?.[Math.min(dial, rule.outcomes.length) - 1] ?? rule?.outcome ?? 'completed';
}
