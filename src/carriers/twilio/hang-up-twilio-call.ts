import { type HangUpRequest, type HangUpResult } from '../carrier.js';
import { type TwilioAnswer, type TwilioApi } from './twilio-api.js';
import { isTwilioStatus, type TwilioStatus } from './twilio-status.js';

/** Twilio's error code for a change of a call that has ended. */
const NOT_IN_PROGRESS = 21220;

/**
 * Ends a call by a change of its status. `canceled` ends a call that has not been answered, so that Twilio does
 * not report a conversation. A call that was answered in the meantime goes on after `canceled`, and is then
 * ended by `completed`.
 */
export async function hangUpTwilioCall(
  api: TwilioApi,
  { carrierCallId, answered }: HangUpRequest,
  signal: AbortSignal,
): Promise<HangUpResult> {
  if (carrierCallId === null) return { kind: 'not_done', reason: 'carrier_call_id_unknown' };
  const end = async (status: 'canceled' | 'completed'): Promise<TwilioStatus | HangUpResult> => {
    const answer = await api.ask(signal, (client) => client.calls(carrierCallId).update({ status }));
    if (answer.kind !== 'ok') return failure(answer);
    const { status: now } = answer.value;
    return isTwilioStatus(now) ? now : { kind: 'unknown', reason: 'carrier_unreadable' };
  };
  let now = answered ? await end('completed') : await end('canceled');
  if (now === 'in-progress' && !answered) now = await end('completed');
  return typeof now === 'string' ? { kind: 'accepted' } : now;
}

function failure(answer: Exclude<TwilioAnswer<unknown>, { kind: 'ok' }>): HangUpResult {
  if (answer.kind === 'broken') return { kind: 'unknown', reason: answer.reason };
  if (answer.kind !== 'error') return { kind: 'not_done', reason: answer.reason };
  const { status, code } = answer;
  // Only Twilio's own code counts: a proxy in between may answer 4xx to a request that it has passed on.
  if (code === NOT_IN_PROGRESS || (status === 404 && code !== null)) return { kind: 'not_in_progress' };
  const kind = status === 429 || (status < 500 && code !== null) ? 'not_done' : 'unknown';
  return { kind, reason: `carrier_http_${status}` };
}
