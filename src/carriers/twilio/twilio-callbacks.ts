import { type CarrierEvent, type CarrierEventStatus } from '../carrier.js';
import { isNetworkBlock } from '../sip-603-plus.js';
import { TwilioApi } from './twilio-api.js';
import { type TwilioOptions } from './twilio-options.js';
import { REPEAT_REPORTS } from './twilio-paths.js';
import {
  ANSWERED_BY,
  type AnsweredBy,
  answeredByOf,
  eventOf,
  isTwilioStatus,
  TWILIO_STATUSES,
} from './twilio-status.js';
import { parseTwilioSettings } from './twilio-settings.js';
import { type CallBriefing, twimlFor } from './twiml.js';
import { isCallSid } from './call-sid.js';

/** The fields of a callback's form; a repeated field has all its values. */
export type TwilioForm = Record<string, string | string[]>;

/** `isUndetected`: the call has ended, and its result of machine detection could not be read. */
export type ReadReport =
  { ok: true; event: CarrierEvent; isUndetected: boolean } | { ok: false; message: string };

/** `outcome`: what the detection means for a call that has ended; null: nothing. */
export type ReadDetection =
  { ok: true; event: CarrierEvent; outcome: CarrierEventStatus | null } | { ok: false; message: string };

/**
 * How long a report waits for the result of machine detection. Twilio waits 15 seconds for the answer to its
 * report.
 */
const DETECTION_MS = 3_000;

/** Verifies and reads Twilio's requests to this deployment. */
export class TwilioCallbacks {
  private readonly api: TwilioApi;

  constructor(private readonly options: TwilioOptions) {
    this.api = new TwilioApi({ ...options, timeoutMs: DETECTION_MS });
  }

  /** @param target path and query exactly as requested, below the deployment's public URL. */
  async isSigned(signature: string | undefined, target: string, form: TwilioForm): Promise<boolean> {
    if (signature === undefined) return false;
    const { validateRequest } = await import('twilio/lib/webhooks/webhooks.js');
    const url = `${this.options.publicUrl}${target}`;
    // HTTP does not send the fragment of a URL, and Twilio does not document whether the signature includes
    // the fragment. So both forms are accepted.
    return [url, `${url}${REPEAT_REPORTS}`].some((address) =>
      validateRequest(this.options.authToken, signature, address, form),
    );
  }

  /** @param late whether the result of machine detection may be missing from the report. */
  async readStatus(callRequestId: string, form: TwilioForm, late: boolean): Promise<ReadReport> {
    const { CallSid: callSid, CallStatus: status } = form;
    if (!isCallSid(callSid)) return no('CallSid must be the SID of a call');
    if (!isTwilioStatus(status)) {
      return no(`CallStatus must be one of ${Object.keys(TWILIO_STATUSES).join(', ')}`);
    }
    const said = answeredByOf(form.AnsweredBy);
    const looked = said === null && late && status === 'completed' ? await this.detectionOf(callSid) : said;
    const answeredBy = looked === 'unread' ? null : looked;
    const event = eventOf(callRequestId, {
      callSid,
      status,
      answeredBy,
      at: instantOf(form.Timestamp),
      durationSeconds: wholeNumberOf(form.CallDuration),
      sipCode: wholeNumberOf(form.SipResponseCode),
      errorCode: wholeNumberOf(form.ErrorCode),
      networkBlocked: saysNetworkBlock(form),
    });
    return { ok: true, event, isUndetected: looked === 'unread' };
  }

  /**
   * Reads a result of machine detection, which means that the call was answered. During the call, the end of the
   * call determines its outcome.
   */
  readDetection(callRequestId: string, form: TwilioForm): ReadDetection {
    const { CallSid: carrierCallId } = form;
    if (!isCallSid(carrierCallId)) return no('CallSid must be the SID of a call');
    const at = new Date();
    const detectionMs = wholeNumberOf(form.MachineDetectionDuration) ?? 0;
    const answeredAt = new Date(at.getTime() - detectionMs);
    const answeredBy = answeredByOf(form.AnsweredBy);
    return {
      ok: true,
      event: { callRequestId, carrierCallId, status: 'in_progress', at, answeredAt },
      outcome: answeredBy === null ? null : ANSWERED_BY[answeredBy],
    };
  }

  /** The TwiML of a call; null if the agent's settings are invalid or have a `twimlUrl`. */
  async twiml(settings: Record<string, unknown>, call: CallBriefing): Promise<string | null> {
    const parsed = parseTwilioSettings(settings);
    if (!parsed.ok || parsed.settings.runtime.kind === 'twimlUrl') return null;
    return twimlFor(parsed.settings.runtime, call);
  }

  close(): void {
    this.api.close();
  }

  /**
   * Requests an ended call from Twilio, and returns its result of machine detection; null if Twilio has no known
   * result; `unread` if Twilio does not answer, or answers with an error.
   */
  private async detectionOf(callSid: string): Promise<AnsweredBy | null | 'unread'> {
    const signal = AbortSignal.timeout(DETECTION_MS);
    const call = await this.api.ask(signal, (client) => client.calls(callSid).fetch());
    return call.kind === 'ok' ? answeredByOf(call.value.answeredBy) : 'unread';
  }
}

/** Reads Twilio's format, `Tue, 29 Sep 2026 10:00:00 +0000`; returns the current time for anything else. */
function instantOf(value: unknown): Date {
  const instant = typeof value === 'string' && value.length < 60 ? new Date(value) : null;
  return instant === null || Number.isNaN(instant.getTime()) ? new Date() : instant;
}

/** Whether a field about the SIP response or the error says that the response is a 603+. */
function saysNetworkBlock(form: TwilioForm): boolean {
  return Object.entries(form).some(
    ([name, value]) => /^(?:Sip|Error)/.test(name) && typeof value === 'string' && isNetworkBlock(value),
  );
}

function wholeNumberOf(value: unknown): number | null {
  return typeof value === 'string' && /^\d{1,8}$/.test(value) ? Number(value) : null;
}

function no(message: string): { ok: false; message: string } {
  return { ok: false, message };
}
