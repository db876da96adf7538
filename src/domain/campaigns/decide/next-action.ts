import { type CampaignDefinition, type Effect, type Step, stepOf } from '../definition/definition.js';
import { addDuration } from '../duration.js';
import { delayAfter, isFailureOf } from './budget.js';
import { type End } from './decision.js';
import { type Attempt, type EnrollmentState, isProcessed } from './enrollment.js';
import { reachesGoal, routeCompleted, routeNoResponse } from './route.js';
import { afterUnreached } from './unreached.js';

/**
 * The next action by the definition and the enrollment's calls, without other facts. `since` is the instant
 * at which it became the next action.
 */
export type NextAction =
  | { kind: 'dial'; step: Step; callback: boolean; dueAt: Date; waitingFor: DialReason; since: Date }
  | { kind: 'move'; stepKey: string; since: Date }
  | { kind: 'end'; end: End; since: Date }
  | { kind: 'result'; until: Date }
  | { kind: 'report'; waitingFor: 'in_call' | 'outcome' };

type DialReason = 'after' | 'retry' | 'callback' | 'carrier';

/** @returns undefined if the definition has no steps, or lacks the enrollment's step. */
export function nextActionOf(
  enrollment: EnrollmentState,
  definition: CampaignDefinition,
  zone: string,
  now: Date,
): NextAction | undefined {
  const goal = goalOf(enrollment, definition);
  if (goal) return goal;
  const step = enrollment.stepKey === null ? definition.steps[0] : stepOf(definition, enrollment.stepKey);
  if (!step) return undefined;
  const next = withoutCaps(enrollment, definition, step, zone, now);
  // The cap ends the enrollment before its next dial or step, not at the claim of its last call.
  if (next.kind !== 'dial' && next.kind !== 'move') return next;
  const { maxAttempts } = definition.caps;
  const spent = maxAttempts !== null && enrollment.attempts.filter(isProcessed).length >= maxAttempts;
  return spent ? { kind: 'end', end: { status: 'exited', endReason: 'caps' }, since: next.since } : next;
}

/** A goal counts at once, whichever call of the enrollment it is reported for. */
function goalOf({ attempts }: EnrollmentState, definition: CampaignDefinition): NextAction | undefined {
  const instants = attempts
    .filter(({ stepKey, result }) => reachesGoal(stepOf(definition, stepKey), result))
    .map(({ result }) => result?.recordedAt.getTime() ?? Infinity);
  if (instants.length === 0) return undefined;
  const since = new Date(Math.min(...instants));
  return { kind: 'end', end: { status: 'completed', endReason: 'goal' }, since };
}

function withoutCaps(
  { enrolledAt, attempts }: EnrollmentState,
  definition: CampaignDefinition,
  step: Step,
  zone: string,
  now: Date,
): NextAction {
  const newest = attempts.at(-1);
  if (newest?.outcome === null) return { kind: 'report', waitingFor: 'in_call' };
  if (newest?.outcome === 'unknown') return { kind: 'report', waitingFor: 'outcome' };
  const isReached = (attempt: Attempt) =>
    isProcessed(attempt) || isFailureOf(stepOf(definition, attempt.stepKey), attempt);
  const last = attempts.findLast(isReached);
  const next =
    last?.stepKey === step.key
      ? afterCall(definition, step, attempts, last, zone, now)
      : firstDial(step, last?.endedAt ?? enrolledAt, last?.recordedAt ?? enrolledAt, zone);
  if (next.kind !== 'dial') return next;
  const unreached = attempts.slice(last ? attempts.indexOf(last) + 1 : 0);
  const again = afterUnreached(unreached);
  return again?.kind === 'dial' ? { ...next, ...again } : (again ?? next);
}

function firstDial(step: Step, from: Date, since: Date, zone: string): NextAction {
  const dueAt = addDuration(from, step.after, zone);
  return { kind: 'dial', step, callback: false, dueAt, waitingFor: 'after', since };
}

/**
 * After a call that was not completed, retries come before the entry `no_response` of `on`. A call that was
 * hung up is not retried.
 */
function afterCall(
  definition: CampaignDefinition,
  step: Step,
  attempts: readonly Attempt[],
  call: Attempt,
  zone: string,
  now: Date,
): NextAction {
  const { outcome, endedAt, recordedAt } = call;
  if (!outcome || !endedAt || !recordedAt || outcome === 'unknown' || outcome === 'not_dialed') {
    throw new RangeError('a call that has not ended routes nothing');
  }
  if (outcome === 'completed') {
    const route = routeCompleted(step, call, recordedAt, now);
    if (route.kind === 'waiting') return { kind: 'result', until: route.until };
    return applied(step, route.effect, route.since, route.callbackAt);
  }
  if (outcome === 'hung_up') return applied(step, routeNoResponse(definition, step), recordedAt, null);
  const delay = delayAfter(step, attempts, call, outcome === 'refused' ? 'failed' : outcome);
  if (!delay) return applied(step, routeNoResponse(definition, step), recordedAt, null);
  const dueAt = addDuration(endedAt, delay, zone);
  return { kind: 'dial', step, callback: false, dueAt, waitingFor: 'retry', since: recordedAt };
}

function applied(step: Step, effect: Effect, since: Date, callbackAt: Date | null): NextAction {
  switch (effect.kind) {
    case 'goal':
      return { kind: 'end', end: { status: 'completed', endReason: 'goal' }, since };
    case 'end':
      return { kind: 'end', end: { status: 'completed', endReason: effect.reason }, since };
    case 'next':
      return { kind: 'move', stepKey: effect.stepKey, since };
    case 'callback':
      return {
        kind: 'dial',
        step,
        callback: true,
        dueAt: callbackAt ?? since,
        waitingFor: 'callback',
        since,
      };
  }
}
