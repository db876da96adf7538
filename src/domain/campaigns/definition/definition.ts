import { type CallingHours } from '../../calling-hours.js';
import { REFUSAL_OUTCOMES } from '../../refused-by.js';
import { type Duration } from '../duration.js';

/**
 * Outcomes for which a step can list delays. An unknown outcome is never retried. `failed` does not include
 * the outcomes that tell who refused the call.
 */
export const RETRY_OUTCOMES = ['no_answer', 'busy', 'voicemail', 'failed', ...REFUSAL_OUTCOMES] as const;
export type RetryOutcome = (typeof RETRY_OUTCOMES)[number];

/** The outcomes that an entry of `on` can name: a completed call, or the end of the retries of the step. */
export const STEP_OUTCOMES = ['completed', 'no_response'] as const;
export type StepOutcome = (typeof STEP_OUTCOMES)[number];

export const COMPLETED_REASONS = ['reached', 'no_response'] as const;

export type Condition =
  { kind: 'disposition'; disposition: string } | { kind: 'outcome'; outcome: StepOutcome };

export type Effect =
  | { kind: 'goal' }
  /** Dial again at the instant that the call's result requests. */
  | { kind: 'callback' }
  | { kind: 'end'; reason: (typeof COMPLETED_REASONS)[number] }
  | { kind: 'next'; stepKey: string };

export interface Route {
  when: Condition;
  then: Effect;
}

export interface Step {
  key: string;
  agentId: string;
  /**
   * The delay before the first call of the step. It counts from the end of the last call of the enrollment,
   * or from enrollment if no call was made.
   */
  after: Duration;
  /** The most processed calls of the step, the first call included. Requested callbacks do not count. */
  maxAttempts: number;
  /** The delays of each outcome; an outcome that is not listed is not retried. */
  retry: Partial<Record<RetryOutcome, readonly Duration[]>>;
  /** The first entry that matches applies. */
  on: readonly Route[];
}

/** A limit: at most `count` processed calls of the team to the number in a rolling window of length `per`. */
export interface NumberCap {
  count: number;
  per: Duration;
}

export interface Caps {
  /** The most processed calls of one entry into the campaign; null: no limit. */
  maxAttempts: number | null;
  perNumber: readonly NumberCap[];
  /** The time without calls after a completed call, apart from requested callbacks. */
  afterConversation: Duration | null;
  /** The time from enrollment after which the enrollment ends. */
  lifetime: Duration | null;
}

/** The validated `definition` of a version. A version without steps places no calls. */
export interface CampaignDefinition {
  steps: readonly Step[];
  /** The variables of every call. */
  variables: Readonly<Record<string, unknown>>;
  /** `hours` and `closedDates` narrow the calling hours of the agents. */
  hours: CallingHours;
  closedDates: readonly string[];
  caps: Caps;
}

/** @returns undefined if no step has the key. */
export function stepOf(definition: CampaignDefinition, key: string): Step | undefined {
  return definition.steps.find((step) => step.key === key);
}

/** The step after `step` in the order of the definition. */
export function stepAfter(definition: CampaignDefinition, step: Step): Step | undefined {
  return definition.steps[definition.steps.indexOf(step) + 1];
}

/** The most calls that `retry` allows: the first call, and one call for each delay. */
export function callsOf(retry: Step['retry']): number {
  return Object.values(retry).reduce((calls, delays) => calls + delays.length, 1);
}
