import { isCarrierCallId } from '../answer-json.js';
import { type PlaceCallRequest, type PlaceCallResult } from '../carrier.js';
import { type JsonAnswer, pauseAfter } from '../json-api.js';
import { isRecord } from '../report-body.js';
import { UNANSWERED } from '../send-once.js';
import { textVariables } from '../text-variables.js';
import { CALL_KEY, GENERATION_KEY } from './retell-call.js';
import { retellReportUrl } from './retell-paths.js';
import { type RetellSettings } from './retell-settings.js';

/** The reports that Outdial reads, whichever the agent is set to send. */
const REPORTS = ['call_started', 'call_ended', 'call_analyzed'];

/** The body of the request that dials. */
export function retellDial(request: PlaceCallRequest, settings: RetellSettings, publicUrl: string): object {
  const { ringTimeoutSeconds: ring, agentVersion } = settings;
  return {
    from_number: request.from,
    to_number: request.to,
    override_agent_id: settings.agentId,
    ...(agentVersion !== undefined && { override_agent_version: agentVersion }),
    metadata: { [CALL_KEY]: request.callRequestId, [GENERATION_KEY]: String(request.generation) },
    retell_llm_dynamic_variables: textVariables(request),
    agent_override: {
      agent: {
        webhook_url: retellReportUrl(publicUrl, request.account?.id ?? null),
        webhook_events: REPORTS,
        ...(ring !== undefined && { ring_duration_ms: ring * 1_000 }),
      },
    },
  };
}

/** Retell's statuses that mean that no call was placed. */
const REFUSALS: Readonly<Record<number, string>> = {
  400: 'carrier_request_invalid',
  401: 'carrier_unauthorized',
  402: 'carrier_payment_required',
  403: 'carrier_unauthorized',
  404: 'carrier_agent_not_found',
  422: 'carrier_request_invalid',
};

export function retellDialResult(answer: JsonAnswer): PlaceCallResult {
  if (answer.kind !== 'answer') return { kind: UNANSWERED[answer.kind], reason: answer.reason };
  const { status, headers, value } = answer;
  if (status === 200 || status === 201) {
    const id = isRecord(value) ? value.call_id : undefined;
    return isCarrierCallId(id)
      ? { kind: 'accepted', carrierCallId: id }
      : { kind: 'unknown', reason: 'carrier_unreadable' };
  }
  if (status === 429) {
    return { kind: 'throttled', reason: 'carrier_throttled', retryAfterMs: pauseAfter(headers) };
  }
  const reason = REFUSALS[status];
  return reason !== undefined && isRetellError(value)
    ? { kind: 'refused', reason }
    : { kind: 'unknown', reason: `carrier_http_${status}` };
}

/** Only Retell's own refusal counts: a proxy in between may answer 4xx to a request that it has passed on. */
export function isRetellError(value: unknown): boolean {
  return isRecord(value) && value.status === 'error' && typeof value.message === 'string';
}
