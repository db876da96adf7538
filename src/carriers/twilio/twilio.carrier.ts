import {
  type Carrier,
  type CarrierCheck,
  type FindCallQuery,
  type FindCallResult,
  type HangUpRequest,
  type HangUpResult,
  type PlaceCallRequest,
  type PlaceCallResult,
} from '../carrier.js';
import { callParameters } from './call-parameters.js';
import { isCallSid } from './call-sid.js';
import { checkTwilio } from './check-twilio.js';
import { findTwilioCall } from './find-twilio-call.js';
import { hangUpTwilioCall } from './hang-up-twilio-call.js';
import { TwilioApi } from './twilio-api.js';
import { dialFailure } from './twilio-errors.js';
import { type TwilioOptions } from './twilio-options.js';
import { parseTwilioSettings } from './twilio-settings.js';
import { warmUpTwiml } from './twiml.js';

/** Places calls through Twilio's Programmable Voice. Twilio reports to `/api/carriers/twilio`. */
export class TwilioCarrier implements Carrier {
  readonly name = 'twilio';
  readonly timeoutMs: number;
  readonly callsPerSecond: number;
  private readonly api: TwilioApi;

  constructor(private readonly options: TwilioOptions) {
    this.api = new TwilioApi(options);
    this.timeoutMs = this.api.timeoutMs;
    this.callsPerSecond = options.callsPerSecond;
  }

  start(): void {
    // An error in loading the SDK is ignored here: the first dial also loads the SDK, and reports the error.
    void Promise.all([this.api.warmUp(), warmUpTwiml()]).catch(() => undefined);
  }

  async placeCall(request: PlaceCallRequest, signal: AbortSignal): Promise<PlaceCallResult> {
    const asked = await callParameters(request, this.options);
    if (!asked.ok) return { kind: 'refused', reason: asked.reason };
    const answer = await this.api.ask(signal, (client) => client.calls.create(asked.parameters));
    if (answer.kind !== 'ok') return dialFailure(answer);
    const { sid } = answer.value;
    // An answer without a SID is not from Twilio's API, so the result of the request is unknown.
    if (!isCallSid(sid)) return { kind: 'unknown', reason: 'carrier_unreadable' };
    return { kind: 'accepted', carrierCallId: sid };
  }

  findCall(query: FindCallQuery, signal: AbortSignal): Promise<FindCallResult> {
    return findTwilioCall(this.api, query, signal);
  }

  hangUp(request: HangUpRequest, signal: AbortSignal): Promise<HangUpResult> {
    return hangUpTwilioCall(this.api, request, signal);
  }

  checkSettings(settings: Record<string, unknown>): string | null {
    const parsed = parseTwilioSettings(settings);
    return parsed.ok ? null : parsed.message;
  }

  check(numbers: readonly string[], signal: AbortSignal): Promise<CarrierCheck> {
    return checkTwilio(this.api, this.options.accountSid, numbers, signal);
  }

  close(): Promise<void> {
    this.api.close();
    return Promise.resolve();
  }
}
