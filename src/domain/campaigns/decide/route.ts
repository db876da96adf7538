import {
  type CampaignDefinition,
  type Effect,
  type Route,
  type Step,
  stepAfter,
} from '../definition/definition.js';
import { type Attempt, type CallResult } from './enrollment.js';

/**
 * How long the engine waits for the disposition of a completed call, counted from the recording of the end.
 */
export const RESULT_WAIT_MS = 15 * 60_000;

type Reported = Pick<CallResult, 'disposition' | 'callbackAt'>;

export type CompletedRoute =
  | { kind: 'waiting'; until: Date }
  /** `since`: the instant from which the effect applies. */
  | { kind: 'routed'; effect: Effect; since: Date; callbackAt: Date | null };

/**
 * The effect of a completed call of the step. A disposition is awaited only if an entry of `on` names a
 * disposition.
 */
export function routeCompleted(step: Step, call: Attempt, recordedAt: Date, now: Date): CompletedRoute {
  const { result, since, waiting } = resultInTime(step, call, recordedAt, now);
  if (waiting) return { kind: 'waiting', until: since };
  const effect = matchOf(step, result)?.then;
  if (effect) return { kind: 'routed', effect, since, callbackAt: result?.callbackAt ?? null };
  return { kind: 'routed', effect: { kind: 'end', reason: 'reached' }, since, callbackAt: null };
}

/**
 * Whether a result reaches the goal of its call's step. The result counts at any time, and for any outcome of
 * the call.
 */
export function reachesGoal(step: Step | undefined, result: Reported | null): boolean {
  const match = step && matchOf(step, result);
  return match?.when.kind === 'disposition' && match.then.kind === 'goal';
}

/** The first entry of `on` that matches a conversation with this result. */
function matchOf({ on }: Step, result: Reported | null): Route | undefined {
  return on.find(({ when, then }) => {
    if (when.kind === 'outcome') return when.outcome === 'completed';
    if (when.disposition !== result?.disposition) return false;
    // An entry `callback` does not match a result without a callback time; later entries are evaluated.
    return then.kind !== 'callback' || result.callbackAt !== null;
  });
}

/**
 * The effect when the step's retries are used up: that of the entry `no_response`, else the next step, else
 * the end.
 */
export function routeNoResponse(definition: CampaignDefinition, step: Step): Effect {
  const entry = step.on.find(({ when }) => when.kind === 'outcome' && when.outcome === 'no_response');
  if (entry) return entry.then;
  const next = stepAfter(definition, step);
  return next ? { kind: 'next', stepKey: next.key } : { kind: 'end', reason: 'no_response' };
}

/**
 * The result by which the call is routed. A result that comes after the deadline routes nothing, but can
 * still reach a goal.
 */
function resultInTime(
  { on }: Step,
  { result }: Attempt,
  recordedAt: Date,
  now: Date,
): { result: CallResult | null; since: Date; waiting: boolean } {
  if (!on.some(({ when }) => when.kind === 'disposition')) {
    return { result: null, since: recordedAt, waiting: false };
  }
  const deadline = new Date(recordedAt.getTime() + RESULT_WAIT_MS);
  if (result === null || result.recordedAt >= deadline) {
    return { result: null, since: deadline, waiting: now < deadline };
  }
  // A result can be reported before the call ends.
  const since = result.recordedAt > recordedAt ? result.recordedAt : recordedAt;
  return { result, since, waiting: false };
}
