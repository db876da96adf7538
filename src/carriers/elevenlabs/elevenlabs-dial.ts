import { isCarrierCallId } from '../answer-json.js';
import { type PlaceCallRequest, type PlaceCallResult } from '../carrier.js';
import { type JsonAnswer, pauseAfter } from '../json-api.js';
import { isRecord } from '../report-body.js';
import { UNANSWERED } from '../send-once.js';
import { textVariables } from '../text-variables.js';
import { errorCodeOf, isElevenLabsError } from './elevenlabs-api.js';
import { CALL_KEY, GENERATION_KEY } from './elevenlabs-call.js';
import { type ElevenLabsSettings, type Telephony } from './elevenlabs-settings.js';

/** The paths of the requests that dial. */
export const DIAL_PATHS: Readonly<Record<Telephony, string>> = {
  twilio: '/v1/convai/twilio/outbound-call',
  sip_trunk: '/v1/convai/sip-trunk/outbound-call',
};

/** The body of the request that dials. */
export function elevenLabsDial(
  request: PlaceCallRequest,
  settings: ElevenLabsSettings,
  phoneNumberId: string,
): object {
  const { agentId, ringTimeoutSeconds: ring } = settings;
  const agent = overridesOf(request, settings);
  return {
    agent_id: agentId,
    agent_phone_number_id: phoneNumberId,
    to_number: request.to,
    conversation_initiation_client_data: {
      user_id: request.callRequestId,
      dynamic_variables: {
        ...textVariables(request),
        [CALL_KEY]: request.callRequestId,
        [GENERATION_KEY]: String(request.generation),
      },
      ...(Object.keys(agent).length > 0 && { conversation_config_override: { agent } }),
    },
    ...(ring !== undefined && { telephony_call_config: { ringing_timeout_secs: ring } }),
  };
}

function overridesOf(
  { prompt, firstMessage }: PlaceCallRequest,
  { overrideFirstMessage = false, overridePrompt = false }: ElevenLabsSettings,
): object {
  return {
    ...(overrideFirstMessage && firstMessage.trim() !== '' && { first_message: firstMessage }),
    ...(overridePrompt && prompt.trim() !== '' && { prompt: { prompt } }),
  };
}

/** ElevenLabs' statuses that mean that no call was placed. */
const REFUSALS: Readonly<Record<number, string>> = {
  400: 'carrier_request_invalid',
  401: 'carrier_unauthorized',
  402: 'carrier_payment_required',
  403: 'carrier_unauthorized',
  404: 'carrier_agent_not_found',
  422: 'carrier_request_invalid',
};

/** The reason of a refusal by words of its code, or `throttled`. */
const CODES: readonly (readonly [RegExp, string])[] = [
  [/concurren|rate_limit|too_many|system_busy/, 'throttled'],
  [/quota|credit|payment|subscription|billing|limit_exceeded|upgrade/, 'carrier_payment_required'],
  [/phone_number.*not_found/, 'carrier_number_unknown'],
  [/agent.*not_found|document_not_found/, 'carrier_agent_not_found'],
  [/api_key|permission|unauthori[sz]ed|forbidden/, 'carrier_unauthorized'],
];

export function elevenLabsDialResult(answer: JsonAnswer, telephony: Telephony): PlaceCallResult {
  if (answer.kind !== 'answer') return { kind: UNANSWERED[answer.kind], reason: answer.reason };
  const { status, headers, value } = answer;
  const throttled = () => ({
    kind: 'throttled' as const,
    reason: 'carrier_throttled',
    retryAfterMs: pauseAfter(headers),
  });
  if (status === 200 || status === 201) return placed(isRecord(value) ? value : {}, telephony);
  if (status === 429) return throttled();
  const reason = REFUSALS[status];
  if (reason === undefined || !isElevenLabsError(value)) {
    return { kind: 'unknown', reason: `carrier_http_${status}` };
  }
  const code = errorCodeOf(value).toLowerCase();
  const [, said = reason] = CODES.find(([word]) => word.test(code)) ?? [];
  return said === 'throttled' ? throttled() : { kind: 'refused', reason: said };
}

/**
 * The result of an answer with status 200. With `success: false` and no id, Twilio has not taken the call. A SIP
 * trunk says so also of a call that rang, whose conversation the look-up finds.
 */
function placed(answer: Record<string, unknown>, telephony: Telephony): PlaceCallResult {
  const { success, conversation_id: id, callSid } = answer;
  if (isCarrierCallId(id)) return { kind: 'accepted', carrierCallId: id };
  if (success !== false) return { kind: 'unknown', reason: 'carrier_unreadable' };
  return telephony === 'twilio' && (callSid === null || callSid === undefined)
    ? { kind: 'refused', reason: 'carrier_call_refused' }
    : { kind: 'unknown', reason: 'carrier_call_refused' };
}
