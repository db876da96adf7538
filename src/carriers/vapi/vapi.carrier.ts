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
import { NumberIds } from '../number-ids.js';
import { checkVapi } from './check-vapi.js';
import { findVapiCall } from './find-vapi-call.js';
import { hangUpVapiCall } from './hang-up-vapi-call.js';
import { isVapiError, VapiApi } from './vapi-api.js';
import { vapiDial, vapiDialResult } from './vapi-dial.js';
import { vapiKeyOf, type VapiOptions } from './vapi-options.js';
import { vapiSettingsOf, vapiSettingsProblem } from './vapi-settings.js';

const NO_ACCOUNT = 'carrier_account_missing';

/** Places calls with assistants that run at Vapi. Vapi reports to `/api/carriers/vapi`. */
export class VapiCarrier implements Carrier {
  readonly name = 'vapi';
  readonly timeoutMs: number;
  readonly callsPerSecond: number | null;
  readonly hasOwnAccount: boolean;
  private readonly api: VapiApi;
  private readonly numbers: NumberIds;

  constructor(private readonly options: VapiOptions) {
    const { apiUrl, timeoutMs } = options;
    this.api = new VapiApi(apiUrl, timeoutMs);
    // The dial that follows has to fit into the same time.
    this.numbers = new NumberIds({
      list: (apiKey, signal) => this.api.numbers(apiKey, signal),
      isRefusal: isVapiError,
      timeoutMs: timeoutMs / 2,
    });
    this.timeoutMs = timeoutMs;
    this.callsPerSecond = options.callsPerSecond;
    this.hasOwnAccount = options.apiKey !== null;
  }

  checkSettings(settings: CarrierSettings): string | null {
    return vapiSettingsProblem(settings);
  }

  async placeCall(request: PlaceCallRequest, signal: AbortSignal): Promise<PlaceCallResult> {
    const apiKey = this.keyOf(request.account);
    if (apiKey === null) return { kind: 'refused', reason: NO_ACCOUNT };
    const settings = vapiSettingsOf(request.carrierSettings);
    if (settings === null) return { kind: 'refused', reason: 'carrier_settings_invalid' };
    const number = await this.numbers.idOf(request.from, apiKey, signal, settings.phoneNumberIds);
    if (number.kind === 'none') return number.result;
    const { publicUrl } = this.options;
    const body = vapiDial(request, { settings, phoneNumberId: number.id, apiKey, publicUrl });
    return vapiDialResult(await this.api.post('/call', body, apiKey, signal));
  }

  async findCall(query: FindCallQuery, signal: AbortSignal): Promise<FindCallResult> {
    const apiKey = this.keyOf(query.account);
    if (apiKey === null) return { kind: 'unknown', reason: NO_ACCOUNT };
    return findVapiCall(this.api, query, apiKey, signal);
  }

  async hangUp({ carrierCallId, account }: HangUpRequest, signal: AbortSignal): Promise<HangUpResult> {
    const apiKey = this.keyOf(account);
    if (apiKey === null) return { kind: 'not_done', reason: NO_ACCOUNT };
    if (carrierCallId === null) return { kind: 'not_done', reason: 'carrier_call_id_unknown' };
    return hangUpVapiCall(this.api, this.options.apiUrl, carrierCallId, apiKey, signal);
  }

  async eraseCall(
    { carrierCallId, account }: EraseCallRequest,
    signal: AbortSignal,
  ): Promise<EraseCallResult> {
    const apiKey = this.keyOf(account);
    if (apiKey === null) return { kind: 'not_done', reason: NO_ACCOUNT };
    const path = `/call/${encodeURIComponent(carrierCallId)}`;
    return erasureResult(await this.api.delete(path, apiKey, signal), isVapiError);
  }

  async check(
    numbers: readonly string[],
    signal: AbortSignal,
    subject: CheckSubject = {},
  ): Promise<CarrierCheck> {
    const apiKey = this.keyOf(subject.account);
    if (apiKey !== null) return checkVapi(this.api, apiKey, this.options, numbers, subject, signal);
    const detail = 'is not set: each agent has a carrier account of its team, which has a check of its own';
    return { ok: true, items: [{ what: 'VAPI_API_KEY', ok: true, detail }] };
  }

  close(): Promise<void> {
    this.api.close();
    return Promise.resolve();
  }

  private keyOf(account: CarrierAccount | null | undefined): string | null {
    return account ? vapiKeyOf(account.credentials) : this.options.apiKey;
  }
}
