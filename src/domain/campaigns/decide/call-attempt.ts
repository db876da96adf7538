import { type CallAttempt } from '../../attempt-variables.js';
import { type CampaignDefinition, type RetryOutcome, stepOf } from '../definition/definition.js';
import { delayAfter } from './budget.js';
import { type Attempt, isProcessed } from './enrollment.js';
import { routeNoResponse } from './route.js';

/**
 * What the agent may know of the next call of an enrollment. Calls that were not dialed do not count. A requested
 * callback can follow any call, so it is not considered for `isLast`.
 */
export function callAttemptOf(
  definition: CampaignDefinition,
  attempts: readonly Attempt[],
  { stepKey, callback }: Pick<Attempt, 'stepKey' | 'callback'>,
  now: Date,
): CallAttempt {
  const dialed = attempts.filter(isProcessed);
  const last = dialed.at(-1);
  return {
    number: dialed.length + 1,
    isLast: isLast(definition, attempts, { stepKey, callback }, now),
    previous: last?.outcome
      ? {
          outcome: last.outcome,
          disposition: last.result?.disposition ?? null,
          data: last.result?.data ?? null,
        }
      : null,
  };
}

function isLast(
  definition: CampaignDefinition,
  attempts: readonly Attempt[],
  about: Pick<Attempt, 'stepKey' | 'callback'>,
  now: Date,
): boolean {
  const { maxAttempts } = definition.caps;
  if (maxAttempts !== null && attempts.filter(isProcessed).length + 1 >= maxAttempts) return true;
  const step = stepOf(definition, about.stepKey);
  if (step === undefined || routeNoResponse(definition, step).kind === 'next') return step === undefined;
  return !(Object.keys(step.retry) as RetryOutcome[]).some((outcome) => {
    const call = { ...about, processedAt: now, outcome, endedAt: now, recordedAt: now, result: null };
    return delayAfter(step, [...attempts, call], call, outcome) !== undefined;
  });
}
