import { isFinal } from '../../domain/call-states.js';
import { refusalOutcomeOf } from '../../domain/refused-by.js';
import {
  type Attempt,
  type AttemptOutcome,
  type CallResult,
} from '../../domain/campaigns/decide/enrollment.js';
import { type AttemptRow } from './facts.sql.js';

/** The causes of failed calls that were not dialed, and after which the engine may dial again. */
const NOT_DIALED = new Set(['not_dialed', 'carrier_throttled', 'carrier_unreachable']);

/**
 * A call request of an enrollment as the domain's {@link Attempt}. A call that retention has removed counts
 * as failed at its claim, so that it is still counted as an attempt.
 */
export function attemptOf({
  step,
  callback,
  claimedAt,
  status,
  processedAt,
  endedAt,
  reason,
  last,
  result,
}: AttemptRow): Attempt {
  const about = { stepKey: step, callback, result: result && resultOf(result) };
  if (status === null) {
    const at = new Date(claimedAt);
    return { ...about, processedAt: at, outcome: 'failed', endedAt: at, recordedAt: at };
  }
  const processed = processedAt === null ? null : new Date(processedAt);
  if (status === 'dial_unknown') {
    const recordedAt = last === null ? null : new Date(last.at);
    return { ...about, processedAt: processed, outcome: 'unknown', endedAt: null, recordedAt };
  }
  if (!isFinal(status) || endedAt === null) {
    return { ...about, processedAt: processed, outcome: null, endedAt: null, recordedAt: null };
  }
  const recordedAt = new Date(last?.at ?? endedAt);
  // The outcome of a call in `dial_unknown` is known from its resolution on, so the delay counts from there.
  const end = last?.from === 'dial_unknown' ? recordedAt.getTime() : Math.min(endedAt, recordedAt.getTime());
  return {
    ...about,
    processedAt: processed,
    outcome: outcomeOf(status, processed !== null, last?.cause ?? '', reason),
    endedAt: new Date(end),
    recordedAt,
  };
}

function resultOf({
  recordedAt,
  disposition,
  callbackAt,
  data,
}: NonNullable<AttemptRow['result']>): CallResult {
  return {
    recordedAt: new Date(recordedAt),
    disposition,
    callbackAt: callbackAt === null ? null : new Date(callbackAt),
    ...(data !== undefined && { data }),
  };
}

function outcomeOf(status: string, processed: boolean, cause: string, reason: string | null): AttemptOutcome {
  if (cause === 'hung_up' && status !== 'completed') return 'hung_up';
  switch (status) {
    case 'completed':
    case 'no_answer':
    case 'busy':
    case 'voicemail':
      return status;
    case 'failed':
      if (processed) return refusalOutcomeOf(reason) ?? 'failed';
      return NOT_DIALED.has(cause) ? 'not_dialed' : 'refused';
    default:
      // Only a pending call becomes canceled, blocked or expired, and a campaign's call is never pending.
      return 'not_dialed';
  }
}
