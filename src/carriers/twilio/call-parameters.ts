import { withDisclosures } from '../../domain/compliance/disclosures.js';
import { type PlaceCallRequest } from '../carrier.js';
import { MAX_INLINE_TWIML, MAX_TWIML_BYTES, twimlFor } from './twiml.js';
import { type TwilioOptions } from './twilio-options.js';
import { LATE_DETECTION, REPEAT_REPORTS, twilioCallbackUrl } from './twilio-paths.js';
import { parseTwilioSettings, type TwilioAgentSettings } from './twilio-settings.js';

/** Twilio ends every call after four hours, and accepts no limit above that. */
const LONGEST_CALL_SECONDS = 14_400;

/** The parameters of the SDK's `calls.create`. */
export interface CallParameters {
  to: string;
  from: string;
  statusCallback: string;
  statusCallbackEvent: string[];
  statusCallbackMethod: string;
  timeLimit: number;
  timeout: number;
  machineDetection?: string;
  asyncAmd?: string;
  asyncAmdStatusCallback?: string;
  asyncAmdStatusCallbackMethod?: string;
  url?: string;
  method?: string;
  twiml?: string;
}

export type CallParametersResult = { ok: true; parameters: CallParameters } | { ok: false; reason: string };

/**
 * Builds the parameters of Twilio's request. `ok` is false if the agent's settings are invalid or the TwiML
 * is too large.
 */
export async function callParameters(
  request: PlaceCallRequest,
  options: Pick<TwilioOptions, 'publicUrl' | 'timeLimitSeconds'>,
): Promise<CallParametersResult> {
  const parsed = parseTwilioSettings(request.carrierSettings);
  if (!parsed.ok) return { ok: false, reason: 'carrier_settings_invalid' };
  const { settings } = parsed;
  const answer = await answerParameters(request, settings, options.publicUrl);
  if (answer === null) return { ok: false, reason: 'carrier_twiml_too_large' };
  const late = settings.machineDetection === 'Enable';
  const status = twilioCallbackUrl(options.publicUrl, 'status', request.callRequestId);
  return {
    ok: true,
    parameters: {
      to: request.to,
      from: request.from,
      statusCallback: `${status}${late ? `?${LATE_DETECTION.name}=${LATE_DETECTION.value}` : ''}${REPEAT_REPORTS}`,
      statusCallbackEvent: ['initiated', 'ringing', 'answered', 'completed'],
      statusCallbackMethod: 'POST',
      timeLimit: Math.min(options.timeLimitSeconds, LONGEST_CALL_SECONDS),
      timeout: settings.ringTimeoutSeconds,
      ...machineDetection(settings, request.callRequestId, options.publicUrl),
      ...answer,
    },
  };
}

/**
 * With `Enable` the agent speaks at once, while Twilio listens in the background. With `DetectMessageEnd` the
 * agent has to wait for the beep, so detection comes first.
 */
function machineDetection(
  { machineDetection: detection }: TwilioAgentSettings,
  callRequestId: string,
  publicUrl: string,
): Partial<CallParameters> {
  if (detection === 'off') return {};
  if (detection === 'DetectMessageEnd') return { machineDetection: detection };
  return {
    machineDetection: detection,
    asyncAmd: 'true',
    asyncAmdStatusCallback: `${twilioCallbackUrl(publicUrl, 'amd', callRequestId)}${REPEAT_REPORTS}`,
    asyncAmdStatusCallbackMethod: 'POST',
  };
}

/** The TwiML of the answered call, or its URL; null if the TwiML is longer than Twilio accepts. */
async function answerParameters(
  request: PlaceCallRequest,
  { runtime }: TwilioAgentSettings,
  publicUrl: string,
): Promise<Partial<CallParameters> | null> {
  if (runtime.kind === 'twimlUrl') {
    const url = new URL(runtime.url);
    url.searchParams.set('callRequestId', request.callRequestId);
    return { url: url.href, method: 'POST' };
  }
  const variables = withDisclosures(request.variables, request.disclosures ?? []);
  const twiml = await twimlFor(runtime, { ...request, variables });
  if (twiml.length <= MAX_INLINE_TWIML) return { twiml };
  if (Buffer.byteLength(twiml) > MAX_TWIML_BYTES) return null;
  return { url: twilioCallbackUrl(publicUrl, 'twiml', request.callRequestId), method: 'POST' };
}
