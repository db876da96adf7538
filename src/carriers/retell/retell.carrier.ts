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
  type HangUpRequest,
  type HangUpResult,
  type PlaceCallRequest,
  type PlaceCallResult,
} from '../carrier.js';
import { erasureResult } from '../json-api.js';
import { checkRetell } from './check-retell.js';
import { findRetellCall } from './find-retell-call.js';
import { RetellApi } from './retell-api.js';
import { isRetellError, retellDial, retellDialResult } from './retell-dial.js';
import { type RetellKeys, retellKeysOf, type RetellOptions } from './retell-options.js';
import { retellSettingsOf, retellSettingsProblem } from './retell-settings.js';

const NO_ACCOUNT = 'carrier_account_missing';

/** Places calls with agents that run at Retell. Retell reports to `/api/carriers/retell`. */
export class RetellCarrier implements Carrier {
  readonly name = 'retell';
  readonly timeoutMs: number;
  readonly callsPerSecond: number | null;
  readonly hasOwnAccount: boolean;
  private readonly api: RetellApi;

  constructor(private readonly options: RetellOptions) {
    this.api = new RetellApi(options.apiUrl, options.timeoutMs);
    this.timeoutMs = options.timeoutMs;
    this.callsPerSecond = options.callsPerSecond;
    this.hasOwnAccount = options.keys !== null;
  }

  checkSettings(settings: CarrierSettings): string | null {
    return retellSettingsProblem(settings);
  }

  async placeCall(request: PlaceCallRequest, signal: AbortSignal): Promise<PlaceCallResult> {
    const keys = this.keysOf(request.account);
    if (keys === null) return { kind: 'refused', reason: NO_ACCOUNT };
    const settings = retellSettingsOf(request.carrierSettings);
    if (settings === null) return { kind: 'refused', reason: 'carrier_settings_invalid' };
    const body = retellDial(request, settings, this.options.publicUrl);
    return retellDialResult(await this.api.post('/v2/create-phone-call', body, keys.apiKey, signal));
  }

  async findCall(query: FindCallQuery, signal: AbortSignal): Promise<FindCallResult> {
    const keys = this.keysOf(query.account);
    if (keys === null) return { kind: 'unknown', reason: NO_ACCOUNT };
    return findRetellCall(this.api, query, keys.apiKey, signal);
  }

  async hangUp({ carrierCallId, account }: HangUpRequest, signal: AbortSignal): Promise<HangUpResult> {
    const keys = this.keysOf(account);
    if (keys === null) return { kind: 'not_done', reason: NO_ACCOUNT };
    if (carrierCallId === null) return { kind: 'not_done', reason: 'carrier_call_id_unknown' };
    const path = `/v2/stop-call/${encodeURIComponent(carrierCallId)}`;
    const answer = await this.api.post(path, undefined, keys.apiKey, signal);
    if (answer.kind === 'broken') return { kind: 'unknown', reason: answer.reason };
    if (answer.kind !== 'answer') return { kind: 'not_done', reason: answer.reason };
    const { status, value } = answer;
    if (status === 204 || (status === 200 && value !== undefined)) return { kind: 'accepted' };
    // Retell refuses to stop a call that it does not have, or that has ended.
    if ([400, 404, 409, 422].includes(status) && isRetellError(value)) return { kind: 'not_in_progress' };
    const certain = status === 429 || ((status === 401 || status === 403) && isRetellError(value));
    return { kind: certain ? 'not_done' : 'unknown', reason: `carrier_http_${status}` };
  }

  async eraseCall(
    { carrierCallId, account }: EraseCallRequest,
    signal: AbortSignal,
  ): Promise<EraseCallResult> {
    const keys = this.keysOf(account);
    if (keys === null) return { kind: 'not_done', reason: NO_ACCOUNT };
    const path = `/v2/delete-call/${encodeURIComponent(carrierCallId)}`;
    const answer = await this.api.delete(path, keys.apiKey, signal);
    // Retell answers so for a call that it does not have.
    const isMissing = answer.kind === 'answer' && answer.status === 422 && isRetellError(answer.value);
    return isMissing ? { kind: 'not_found' } : erasureResult(answer, isRetellError);
  }

  async check(
    numbers: readonly string[],
    signal: AbortSignal,
    subject: CheckSubject = {},
  ): Promise<CarrierCheck> {
    const keys = this.keysOf(subject.account);
    if (keys !== null) return checkRetell(this.api, keys, this.options, numbers, subject, signal);
    const detail = 'is not set: each agent has a carrier account of its team, which has a check of its own';
    return { ok: true, items: [{ what: 'RETELL_API_KEY', ok: true, detail }] };
  }

  close(): Promise<void> {
    this.api.close();
    return Promise.resolve();
  }

  private keysOf(account: CarrierAccount | null | undefined): RetellKeys | null {
    return account ? retellKeysOf(account.credentials) : this.options.keys;
  }
}
