import {
  type Carrier,
  type CarrierAccount,
  type CarrierCheck,
  type CarrierSettings,
  type CheckSubject,
  type EraseCallRequest,
  type EraseCallResult,
  type FindCallQuery,
  type FindCallResult,
  type PlaceCallRequest,
  type PlaceCallResult,
} from '../carrier.js';
import { erasureResult } from '../json-api.js';
import { NumberIds } from '../number-ids.js';
import { checkElevenLabs } from './check-elevenlabs.js';
import { ElevenLabsApi, isElevenLabsError } from './elevenlabs-api.js';
import { DIAL_PATHS, elevenLabsDial, elevenLabsDialResult } from './elevenlabs-dial.js';
import { type ElevenLabsKeys, elevenLabsKeysOf, type ElevenLabsOptions } from './elevenlabs-options.js';
import { elevenLabsSettingsOf, elevenLabsSettingsProblem } from './elevenlabs-settings.js';
import { findElevenLabsCall } from './find-elevenlabs-call.js';

const NO_ACCOUNT = 'carrier_account_missing';

/** ElevenLabs sends each report once by default, so a call is looked up before its time limit. */
const LOOK_UP_AFTER_MS = 3 * 60_000;

/**
 * Places calls with agents that run at ElevenLabs. ElevenLabs reports to `/api/carriers/elevenlabs`. Its API cannot
 * end a conversation.
 */
export class ElevenLabsCarrier implements Carrier {
  readonly name = 'elevenlabs';
  readonly timeoutMs: number;
  readonly lookUpAfterMs = LOOK_UP_AFTER_MS;
  readonly callsPerSecond: number | null;
  readonly hasOwnAccount: boolean;
  private readonly api: ElevenLabsApi;
  private readonly numbers: NumberIds;

  constructor(private readonly options: ElevenLabsOptions) {
    const { apiUrl, timeoutMs } = options;
    this.api = new ElevenLabsApi(apiUrl, timeoutMs);
    // The dial that follows has to fit into the same time.
    this.numbers = new NumberIds({
      list: (apiKey, signal) => this.api.numbers(apiKey, signal),
      isRefusal: isElevenLabsError,
      timeoutMs: timeoutMs / 2,
    });
    this.timeoutMs = timeoutMs;
    this.callsPerSecond = options.callsPerSecond;
    this.hasOwnAccount = options.keys !== null;
  }

  checkSettings(settings: CarrierSettings): string | null {
    return elevenLabsSettingsProblem(settings);
  }

  async placeCall(request: PlaceCallRequest, signal: AbortSignal): Promise<PlaceCallResult> {
    const keys = this.keysOf(request.account);
    if (keys === null) return { kind: 'refused', reason: NO_ACCOUNT };
    const settings = elevenLabsSettingsOf(request.carrierSettings);
    if (settings === null) return { kind: 'refused', reason: 'carrier_settings_invalid' };
    const { phoneNumberIds, telephony = 'twilio' } = settings;
    const number = await this.numbers.idOf(request.from, keys.apiKey, signal, phoneNumberIds);
    if (number.kind === 'none') return number.result;
    const body = elevenLabsDial(request, settings, number.id);
    const answer = await this.api.post(DIAL_PATHS[telephony], body, keys.apiKey, signal);
    return elevenLabsDialResult(answer, telephony);
  }

  async findCall(query: FindCallQuery, signal: AbortSignal): Promise<FindCallResult> {
    const keys = this.keysOf(query.account);
    if (keys === null) return { kind: 'unknown', reason: NO_ACCOUNT };
    return findElevenLabsCall(this.api, query, keys.apiKey, signal);
  }

  async eraseCall(
    { carrierCallId, account }: EraseCallRequest,
    signal: AbortSignal,
  ): Promise<EraseCallResult> {
    const keys = this.keysOf(account);
    if (keys === null) return { kind: 'not_done', reason: NO_ACCOUNT };
    const path = `/v1/convai/conversations/${encodeURIComponent(carrierCallId)}`;
    return erasureResult(await this.api.delete(path, keys.apiKey, signal), isElevenLabsError);
  }

  async check(
    numbers: readonly string[],
    signal: AbortSignal,
    subject: CheckSubject = {},
  ): Promise<CarrierCheck> {
    const keys = this.keysOf(subject.account);
    if (keys !== null) return checkElevenLabs(this.api, keys, this.options, numbers, subject, signal);
    const detail = 'is not set: each agent has a carrier account of its team, which has a check of its own';
    return { ok: true, items: [{ what: 'ELEVENLABS_API_KEY', ok: true, detail }] };
  }

  close(): Promise<void> {
    this.api.close();
    return Promise.resolve();
  }

  private keysOf(account: CarrierAccount | null | undefined): ElevenLabsKeys | null {
    return account ? elevenLabsKeysOf(account.credentials) : this.options.keys;
  }
}
