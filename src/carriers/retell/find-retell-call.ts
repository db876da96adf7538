import { isErasedNumber } from '../../domain/erased-number.js';
import { type FindCallQuery, type FindCallResult } from '../carrier.js';
import { type JsonAnswer, recordsIn } from '../json-api.js';
import { isRecord } from '../report-body.js';
import { type RetellApi } from './retell-api.js';
import { callRequestOf, type RetellCall, retellEvent, retellResult } from './retell-call.js';
import { isRetellError } from './retell-dial.js';
import { retellSettingsOf } from './retell-settings.js';

/** Of the newest calls between the two numbers. */
const LISTED = 100;

/** Finds an earlier dial by Retell's id if it is known, else by the call request's id in the metadata of calls. */
export async function findRetellCall(
  api: RetellApi,
  query: FindCallQuery,
  apiKey: string,
  signal: AbortSignal,
): Promise<FindCallResult> {
  const { carrierCallId, callRequestId, to, from } = query;
  if (carrierCallId !== null) {
    const answer = await api.get(`/v2/get-call/${encodeURIComponent(carrierCallId)}`, apiKey, signal);
    if (answer.kind === 'answer' && isUnknownCall(answer)) return { kind: 'not_found' };
    return answer.kind === 'answer' && answer.status === 200 && isRecord(answer.value)
      ? found(query, answer.value)
      : failure(answer);
  }
  // Retell lists calls by number, and the number of this call is erased.
  if (isErasedNumber(to)) return { kind: 'not_found' };
  const filter = { to_number: [to], from_number: [from] };
  const answer = await api.post(
    '/v2/list-calls',
    { filter_criteria: filter, sort_order: 'descending', limit: LISTED },
    apiKey,
    signal,
  );
  const calls = answer.kind === 'answer' && answer.status === 200 ? recordsIn(answer.value) : null;
  if (calls === null) return failure(answer);
  const call = calls.find((one) => callRequestOf(one) === callRequestId.toLowerCase());
  return call === undefined ? { kind: 'not_found' } : found(query, call);
}

/** Whether Retell says that it has no call of the id. */
function isUnknownCall({ status, value }: Extract<JsonAnswer, { kind: 'answer' }>): boolean {
  return (status === 404 || status === 422) && isRetellError(value);
}

function found({ callRequestId, carrierSettings }: FindCallQuery, call: RetellCall): FindCallResult {
  const event = retellEvent(callRequestId, call);
  if (event === null) return { kind: 'unknown', reason: 'carrier_unreadable' };
  const result =
    event.status === 'in_progress' ? undefined : retellResult(call, retellSettingsOf(carrierSettings) ?? {});
  return { kind: 'found', event: { ...event, ...(result && { result }) } };
}

function failure(answer: JsonAnswer): FindCallResult {
  if (answer.kind !== 'answer') return { kind: 'unknown', reason: answer.reason };
  const readable = answer.status !== 200;
  return { kind: 'unknown', reason: readable ? `carrier_http_${answer.status}` : 'carrier_unreadable' };
}
