import { type Duration } from '../duration.js';
import { type RetryOutcome, type Step } from '../definition/definition.js';
import { type Attempt, isProcessed } from './enrollment.js';

/**
 * Whether the attempt counts as `failed`. An attempt that the carrier permanently refused counts if the
 * step's `retry` lists `failed`, although it is not processed.
 */
export function isFailureOf(step: Step | undefined, { outcome }: Attempt): boolean {
  return outcome === 'failed' || (outcome === 'refused' && step?.retry.failed !== undefined);
}

/**
 * The delay between `call` and the next retry. `call` is an attempt of the step and ended with `outcome`. The
 * delay is undefined if the budget of the outcome or of the step is spent. Requested callbacks count for
 * neither budget.
 */
export function delayAfter(
  step: Step,
  attempts: readonly Attempt[],
  call: Attempt,
  outcome: RetryOutcome,
): Duration | undefined {
  const own = attempts.filter(({ stepKey, callback }) => stepKey === step.key && !callback);
  if (own.filter(isProcessed).length >= step.maxAttempts) return undefined;
  const ended = own.filter((attempt) =>
    outcome === 'failed' ? isFailureOf(step, attempt) : attempt.outcome === outcome,
  );
  return step.retry[outcome]?.[call.callback ? ended.length : ended.length - 1];
}
