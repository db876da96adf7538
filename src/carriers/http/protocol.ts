import { isCarrierCallId, isObject, isReasonCode, objectFrom } from '../answer-json.js';
import {
  type FindCallResult,
  type HangUpRequest,
  type HangUpResult,
  type PlaceCallRequest,
  type PlaceCallResult,
} from '../carrier.js';
import { carrierEventFromJson } from '../event-json.js';
import { retryAfterMs } from '../../http/retry-after.js';
import { type SendOnceResult } from '../send-once.js';
import { withRefusal } from './refusals.js';

/*
 * Version 1 of the HTTP carrier's protocol; docs/carriers.md describes it for its implementers. Later
 * additions keep these fields and their meaning.
 */

const VERSION = 1;

/** The path of a runtime's reports, below the API's public URL. */
export const HTTP_EVENTS_PATH = '/api/carriers/http/events';

/** The body of the request that places a call. */
export function placeCallBody(request: PlaceCallRequest, callbackUrl: string): string {
  const { callRequestId, teamId, agentId, to, from, prompt, firstMessage, variables, disclosures } = request;
  return JSON.stringify({
    version: VERSION,
    type: 'call.place',
    callRequestId,
    teamId,
    agentId,
    to,
    from,
    prompt,
    firstMessage,
    variables,
    ...(disclosures !== undefined && { disclosures }),
    callbackUrl,
  });
}

/**
 * The idempotency key of one dial. A claim sends at most one request. Two claims of a call have different
 * keys.
 */
export function dialKey({ callRequestId, generation }: PlaceCallRequest): string {
  return `${callRequestId}-${generation}`;
}

/** `{url}/{callRequestId}`; a query of `url` stays at the end. */
export function callUrl(url: URL, callRequestId: string): URL {
  const call = new URL(url);
  call.pathname = `${url.pathname.replace(/\/+$/, '')}/${callRequestId}`;
  return call;
}

/** `{url}/{callRequestId}/hang-up`; a query of `url` stays at the end. */
export function hangUpUrl(url: URL, callRequestId: string): URL {
  return callUrl(url, `${callRequestId}/hang-up`);
}

/** The body of the request that ends a call. */
export function hangUpBody({ callRequestId, carrierCallId }: HangUpRequest): string {
  return JSON.stringify({ version: VERSION, type: 'call.hang_up', callRequestId, carrierCallId });
}

/** Statuses of a runtime that does not have the request to hang up. */
const CANNOT_HANG_UP: readonly number[] = [404, 405, 501];

export function hangUpResult(answer: SendOnceResult): HangUpResult {
  if (answer.kind === 'broken') return { kind: 'unknown', reason: answer.reason };
  if (answer.kind !== 'answer') return { kind: 'not_done', reason: answer.reason };
  const { status } = answer;
  if (status === 204 || ((status === 200 || status === 202) && isObject(answer.body))) {
    return { kind: 'accepted' };
  }
  if (status === 409) return { kind: 'not_in_progress' };
  if (CANNOT_HANG_UP.includes(status)) return { kind: 'cannot_hang_up' };
  return { kind: status === 429 ? 'not_done' : 'unknown', reason: `carrier_http_${status}` };
}

export function placeCallResult(answer: SendOnceResult): PlaceCallResult {
  if (answer.kind === 'not_sent') return { kind: 'refused', reason: answer.reason };
  if (answer.kind === 'unreachable') return answer;
  if (answer.kind === 'broken') return { kind: 'unknown', reason: answer.reason };
  const { status, headers } = answer;
  const { carrierCallId, refused } = objectFrom(answer.body);
  if ([200, 201, 202].includes(status) && isCarrierCallId(carrierCallId)) {
    return { kind: 'accepted', carrierCallId };
  }
  if (status === 429) {
    return {
      kind: 'throttled',
      reason: 'carrier_throttled',
      retryAfterMs: retryAfterMs(headers['retry-after']),
    };
  }
  // Only the runtime's own code counts: a proxy in between may answer 4xx to a request that it has passed on.
  if (status >= 400 && status < 500 && isReasonCode(refused)) return { kind: 'refused', reason: refused };
  return { kind: 'unknown', reason: `carrier_http_${status}` };
}

export function findCallResult(answer: SendOnceResult, callRequestId: string): FindCallResult {
  if (answer.kind !== 'answer') return { kind: 'unknown', reason: answer.reason };
  if (answer.status === 404) return { kind: 'not_found' };
  const parsed = carrierEventFromJson(objectFrom(answer.body));
  const isOurs = parsed.ok && parsed.event.callRequestId === callRequestId;
  if (answer.status !== 200 || !isOurs) return { kind: 'unknown', reason: `carrier_http_${answer.status}` };
  return { kind: 'found', event: withRefusal(parsed.event) };
}
