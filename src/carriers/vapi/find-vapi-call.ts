import { type FindCallQuery, type FindCallResult } from '../carrier.js';
import { type JsonAnswer, recordsIn } from '../json-api.js';
import { instantOfText, isRecord, textAt } from '../report-body.js';
import { isVapiError, type VapiApi } from './vapi-api.js';
import { callRequestOf, type VapiCall, vapiEvent, vapiResult } from './vapi-call.js';
import { vapiSettingsOf } from './vapi-settings.js';

/** Descriptions of calls have their transcripts, so a page is small. */
const PAGE = 50;
const MOST_PAGES = 20;
/** How far a call's creation may be from its claim, in ms: clocks differ, and a request takes its time. */
const BEFORE_MS = 60_000;
const AFTER_MS = 120_000;
/** How long Vapi may take for the analysis of a call. */
const ANALYSIS_MS = 5 * 60_000;

/** Finds an earlier dial by Vapi's id if it is known, else by the name of the calls of that time. */
export async function findVapiCall(
  api: VapiApi,
  query: FindCallQuery,
  apiKey: string,
  signal: AbortSignal,
): Promise<FindCallResult> {
  const { carrierCallId } = query;
  if (carrierCallId === null) return findByName(api, query, apiKey, signal);
  const answer = await api.get(`/call/${encodeURIComponent(carrierCallId)}`, apiKey, signal);
  if (answer.kind === 'answer' && answer.status === 404 && isVapiError(answer.value))
    return { kind: 'not_found' };
  return answer.kind === 'answer' && answer.status === 200 && isRecord(answer.value)
    ? found(query, answer.value)
    : failure(answer);
}

async function findByName(
  api: VapiApi,
  query: FindCallQuery,
  apiKey: string,
  signal: AbortSignal,
): Promise<FindCallResult> {
  const { callRequestId, claimedAt, carrierSettings } = query;
  const assistantId = vapiSettingsOf(carrierSettings)?.assistantId;
  let before = new Date(claimedAt.getTime() + AFTER_MS).toISOString();
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const fields = new URLSearchParams({
      ...(assistantId !== undefined && { assistantId }),
      createdAtGe: new Date(claimedAt.getTime() - BEFORE_MS).toISOString(),
      createdAtLt: before,
      limit: String(PAGE),
    });
    const answer = await api.get(`/call?${fields.toString()}`, apiKey, signal);
    const calls = answer.kind === 'answer' && answer.status === 200 ? recordsIn(answer.value) : null;
    if (calls === null) return failure(answer);
    const call = calls.find((one) => callRequestOf(one) === callRequestId.toLowerCase());
    if (call !== undefined) return found(query, call);
    const oldest = calls.flatMap((one) => textAt(one, 'createdAt') ?? []).sort()[0];
    if (calls.length < PAGE || oldest === undefined || oldest >= before) return { kind: 'not_found' };
    before = oldest;
  }
  return { kind: 'unknown', reason: 'carrier_list_too_long' };
}

function found(
  { callRequestId, carrierSettings }: FindCallQuery,
  call: VapiCall,
  now: Date = new Date(),
): FindCallResult {
  const event = vapiEvent(callRequestId, call, now);
  if (event === null) return { kind: 'unknown', reason: 'carrier_unreadable' };
  const result =
    event.status === 'in_progress' || !isAnalyzed(call, now)
      ? undefined
      : vapiResult(call, vapiSettingsOf(carrierSettings) ?? {});
  return { kind: 'found', event: { ...event, ...(result && { result }) } };
}

/** A call has one result, so it is not taken before the analysis is there, or will not come. */
function isAnalyzed(call: VapiCall, now: Date): boolean {
  const { analysis } = call;
  if (isRecord(analysis) && Object.keys(analysis).length > 0) return true;
  const endedAt = instantOfText(textAt(call, 'endedAt'));
  return endedAt === null || now.getTime() - endedAt.getTime() > ANALYSIS_MS;
}

function failure(answer: JsonAnswer): FindCallResult {
  if (answer.kind !== 'answer') return { kind: 'unknown', reason: answer.reason };
  const readable = answer.status !== 200;
  return { kind: 'unknown', reason: readable ? `carrier_http_${answer.status}` : 'carrier_unreadable' };
}
