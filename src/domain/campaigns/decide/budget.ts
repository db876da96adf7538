import { type Duration } from '../duration.js';
import { type RetryOutcome, type Step } from '../definition/definition.js';
import { type Attempt, isProcessed } from './enrollment.js';

/** Where `retry` lists `failed`, a refusal for good is one, though no attempt. */
export function isFailureOf(step: Step | undefined, { outcome }: Attempt): boolean {
  return outcome === 'failed' || (outcome === 'refused' && step?.retry.failed !== undefined);
}

/**
 * The delay after which `call`, an attempt of the step that ended with `outcome`, is retried; undefined when the budget of
 * the outcome or of the step is spent. Requested callbacks spend neither.
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
