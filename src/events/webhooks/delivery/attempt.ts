import { retryAfterMs } from '../../../http/retry-after.js';
import { type ClaimedRow } from './attempts.sql.js';
import { type PostResult } from './poster.js';
import { holdAfter, pauseAfter } from './retry-schedule.js';

/** The outcomes of `finish_webhook_attempts`. */
export type Outcome = 'delivered' | 'retry' | 'failed' | 'released';

/** The result of one attempt, as it is recorded. */
export interface AttemptResult {
  id: string;
  endpointId: string;
  attempt: number;
  outcome: Outcome;
  code: number | null;
  answer: string | null;
  error: string | null;
  durationMs: number;
  pauseMs: number | null;
  holdMs: number | null;
}

/** The answer to an attempt. `removed`: the event is no longer kept. `internal`: a fault of this process. */
export type AttemptAnswer = PostResult | { kind: 'error'; error: 'removed' | 'internal' };

const GONE = 410;

/**
 * The result of an attempt. Any 2xx status means that the event is delivered. 410 disables the endpoint, so the
 * delivery stays due: it is sent once the endpoint is enabled again. If the event is no longer kept, the delivery
 * is not retried. After any other failure, the delivery is retried until the pauses of the schedule are used up.
 * If this process stopped during the attempt, the delivery is released.
 */
export function resultOf(claimed: ClaimedRow, answer: AttemptAnswer, durationMs: number): AttemptResult {
  const { id, endpoint_id: endpointId, attempt, failures } = claimed;
  const base = { id, endpointId, attempt, durationMs: Math.round(durationMs), pauseMs: null, holdMs: null };
  if (answer.kind === 'error') {
    const { error } = answer;
    const result = { ...base, code: null, answer: null, error };
    if (error === 'stopped') return { ...result, outcome: 'released' };
    const pauseMs = error === 'removed' ? null : pauseAfter(failures + 1);
    return { ...result, outcome: pauseMs === null ? 'failed' : 'retry', pauseMs };
  }
  const { status, text, retryAfter } = answer;
  const result = { ...base, code: status, answer: text, error: null };
  if (status >= 200 && status < 300) return { ...result, outcome: 'delivered' };
  const retryMs = retryAfter === undefined ? undefined : retryAfterMs(retryAfter);
  const pauseMs = status === GONE ? 0 : pauseAfter(failures + 1, retryMs);
  const holdMs = holdAfter(status, retryMs);
  return { ...result, outcome: pauseMs === null ? 'failed' : 'retry', pauseMs, holdMs };
}
