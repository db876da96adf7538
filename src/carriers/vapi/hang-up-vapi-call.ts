import { type HangUpResult } from '../carrier.js';
import { type JsonAnswer } from '../json-api.js';
import { isRecord, recordAt, textAt } from '../report-body.js';
import { isVapiError, type VapiApi } from './vapi-api.js';

/**
 * Ends a call by the address of its control, which Vapi's description of the call has. `DELETE /call/{id}` would
 * erase the call's data instead.
 *
 * @param apiUrl the base URL of Vapi's API.
 */
export async function hangUpVapiCall(
  api: VapiApi,
  apiUrl: string,
  carrierCallId: string,
  apiKey: string,
  signal: AbortSignal,
): Promise<HangUpResult> {
  const read = await api.get(`/call/${encodeURIComponent(carrierCallId)}`, apiKey, signal);
  if (read.kind !== 'answer' || read.status !== 200 || !isRecord(read.value)) return notEnded(read);
  if (read.value.status === 'ended') return { kind: 'not_in_progress' };
  const control = controlUrl(textAt(recordAt(read.value, 'monitor'), 'controlUrl'), apiUrl);
  if (control === null) return { kind: 'not_done', reason: 'carrier_no_control_url' };
  const answer = await api.post(control, { type: 'end-call' }, apiKey, signal);
  if (answer.kind !== 'answer') return notEnded(answer);
  const { status, value } = answer;
  if (status === 204 || (status >= 200 && status < 300 && value !== undefined)) return { kind: 'accepted' };
  return notEnded(answer);
}

/** The API key is sent to Vapi alone. */
function controlUrl(text: string | null, apiUrl: string): URL | null {
  if (text === null || !URL.canParse(text)) return null;
  const url = new URL(text);
  const isVapis = url.protocol === 'https:' && /(?:^|[.])vapi[.]ai$/i.test(url.hostname);
  return isVapis || url.origin === new URL(apiUrl).origin ? url : null;
}

function notEnded(answer: JsonAnswer): HangUpResult {
  if (answer.kind === 'broken') return { kind: 'unknown', reason: answer.reason };
  if (answer.kind !== 'answer') return { kind: 'not_done', reason: answer.reason };
  const { status, value } = answer;
  if (status === 404 && isVapiError(value)) return { kind: 'not_in_progress' };
  const certain = status === 429 || ((status === 401 || status === 403) && isVapiError(value));
  return { kind: certain ? 'not_done' : 'unknown', reason: `carrier_http_${status}` };
}
