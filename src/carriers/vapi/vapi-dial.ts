import { isCarrierCallId } from '../answer-json.js';
import { type PlaceCallRequest, type PlaceCallResult } from '../carrier.js';
import { type JsonAnswer, pauseAfter } from '../json-api.js';
import { isRecord, recordAt } from '../report-body.js';
import { UNANSWERED } from '../send-once.js';
import { textVariables } from '../text-variables.js';
import { isVapiError } from './vapi-api.js';
import { vapiNameOf } from './vapi-call.js';
import { vapiReportUrl } from './vapi-paths.js';
import { SECRET_HEADER, secretOf } from './vapi-secret.js';
import { type VapiSettings } from './vapi-settings.js';

/** The reports that Outdial reads, whichever the assistant is set to send. */
const REPORTS = ['status-update', 'end-of-call-report'];

/** Without a plan, Vapi sends each report once. */
const RETRIES = { type: 'exponential', maxRetries: 5, baseDelaySeconds: 1 };

/** What a dial needs beside the request. */
export interface VapiDialOptions {
  settings: VapiSettings;
  phoneNumberId: string;
  apiKey: string;
  publicUrl: string;
}

/** The body of the request that dials. */
export function vapiDial(
  request: PlaceCallRequest,
  { settings, phoneNumberId, apiKey, publicUrl }: VapiDialOptions,
): object {
  const { assistantId, assistantVersion, maxDurationSeconds } = settings;
  return {
    name: vapiNameOf(request.callRequestId, request.generation),
    assistantId,
    ...(assistantVersion !== undefined && { assistantVersion }),
    phoneNumberId,
    customer: { number: request.to },
    assistantOverrides: {
      ...(request.firstMessage.trim() !== '' && { firstMessage: request.firstMessage }),
      variableValues: textVariables(request),
      ...(maxDurationSeconds !== undefined && { maxDurationSeconds }),
      serverMessages: REPORTS,
      server: {
        url: vapiReportUrl(publicUrl, request.account?.id ?? null),
        headers: { [SECRET_HEADER]: secretOf(apiKey, request.callRequestId) },
        backoffPlan: RETRIES,
      },
    },
  };
}

/** Vapi's statuses that mean that no call was placed. */
const REFUSALS: Readonly<Record<number, string>> = {
  400: 'carrier_request_invalid',
  401: 'carrier_unauthorized',
  402: 'carrier_payment_required',
  403: 'carrier_unauthorized',
  404: 'carrier_agent_not_found',
  422: 'carrier_request_invalid',
};

/** The reason of a 400 by words of its message, which has no code. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/wallet|credit|billing|payment|subscription|frozen/i, 'carrier_payment_required'],
  [/daily|outbound call limit/i, 'carrier_number_limit_reached'],
  [/\bassistant\b.*\bnot (?:found|exist)|\b(?:find|get) (?:the )?assistant\b/i, 'carrier_agent_not_found'],
  [
    /\bphone ?number\b.*\bnot (?:found|exist)|\b(?:find|get) (?:the )?phone ?number\b/i,
    'carrier_number_unknown',
  ],
];

export function vapiDialResult(answer: JsonAnswer): PlaceCallResult {
  if (answer.kind !== 'answer') return { kind: UNANSWERED[answer.kind], reason: answer.reason };
  const { status, headers, value } = answer;
  const throttled = () => ({
    kind: 'throttled' as const,
    reason: 'carrier_throttled',
    retryAfterMs: pauseAfter(headers),
  });
  if (status === 200 || status === 201) {
    const call = isRecord(value) ? value : {};
    if (isNotStarted(call)) return throttled();
    return isCarrierCallId(call.id)
      ? { kind: 'accepted', carrierCallId: call.id }
      : { kind: 'unknown', reason: 'carrier_unreadable' };
  }
  if (status === 429) return throttled();
  const reason = REFUSALS[status];
  if (reason === undefined || !isVapiError(value)) {
    return { kind: 'unknown', reason: `carrier_http_${status}` };
  }
  if (status !== 400) return { kind: 'refused', reason };
  const message = [value.message].flat().join(' ');
  if (/concurren|rate limit/i.test(message)) return throttled();
  const [, said = reason] = WORDS.find(([word]) => word.test(message)) ?? [];
  return { kind: 'refused', reason: said };
}

/**
 * Whether Vapi says that it will not dial this call, because too many are under way. A call that it only put off has
 * an id and goes on, so that it is never dialed again.
 */
function isNotStarted(call: Record<string, unknown>): boolean {
  if (recordAt(call, 'subscriptionLimits').concurrencyBlocked !== true) return false;
  if (call.status === 'ended') return true;
  return call.id === undefined && Array.isArray(call.results) && call.results.length === 0;
}
