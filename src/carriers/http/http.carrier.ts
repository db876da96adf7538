import { type Config } from '../../config/config.js';
import { ConfigError } from '../../config/config-error.js';
import { publicLookup } from '../../http/address-guard.js';
import {
  type Carrier,
  type CarrierCheck,
  type CarrierSettings,
  type FindCallQuery,
  type FindCallResult,
  type HangUpRequest,
  type HangUpResult,
  type PlaceCallRequest,
  type PlaceCallResult,
} from '../carrier.js';
import { OpenRequests } from '../open-requests.js';
import { type SendOnceRequest, type SendOnceResult } from '../send-once.js';
import { type HttpCarrierConfig } from './http.config.js';
import { readCallsUrl, readHttpSettings } from './http-settings.js';
import {
  callUrl,
  dialKey,
  findCallResult,
  hangUpBody,
  hangUpResult,
  hangUpUrl,
  HTTP_EVENTS_PATH,
  placeCallBody,
  placeCallResult,
} from './protocol.js';
import { Signature } from './signature.js';

export interface HttpCarrierOptions {
  /** The URL for agents whose settings contain no URL. */
  url?: string;
  /** `whsec_…`; several secrets are separated by commas. */
  secret: string;
  /** The base URL at which runtimes reach the API. */
  publicUrl: string;
  allowPrivate?: boolean;
  timeoutMs?: number;
  callsPerSecond?: number;
  /** Resolves host names; only tests set it. */
  lookup?: SendOnceRequest['lookup'];
}

/** An id that no call has. `carrier check` looks it up. */
const NO_CALL = '00000000-0000-4000-8000-000000000000';

/**
 * Speaks the protocol of docs/carriers.md with a runtime of voice agents, a dialer, or a bridge to another
 * carrier.
 */
export class HttpCarrier implements Carrier {
  readonly name = 'http';
  readonly timeoutMs: number;
  readonly callsPerSecond: number | null;
  private readonly signature: Signature;
  private readonly callbackUrl: string;
  private readonly allowPrivate: boolean;
  private readonly lookup: SendOnceRequest['lookup'];
  private readonly requests = new OpenRequests();

  constructor(private readonly options: HttpCarrierOptions) {
    this.timeoutMs = options.timeoutMs ?? 10_000;
    this.callsPerSecond = options.callsPerSecond ?? null;
    this.signature = new Signature(options.secret);
    this.callbackUrl = options.publicUrl + HTTP_EVENTS_PATH;
    this.allowPrivate = options.allowPrivate ?? false;
    this.lookup = options.lookup ?? (this.allowPrivate ? undefined : publicLookup());
  }

  /** @throws ConfigError naming the variable whose value is invalid. */
  static from(this: void, config: Config & HttpCarrierConfig): HttpCarrier {
    const { httpCarrierUrl: url, httpCarrierAllowPrivate: allowPrivate } = config;
    const read = url === undefined ? undefined : readCallsUrl(url, 'HTTP_CARRIER_URL:', allowPrivate);
    if (read?.ok === false) throw new ConfigError(`Invalid environment variables:\n  ${read.message}`);
    return new HttpCarrier({
      url,
      allowPrivate,
      secret: config.httpCarrierSecret ?? '',
      publicUrl: config.publicUrl ?? '',
      timeoutMs: config.httpCarrierTimeoutMs,
      callsPerSecond: config.httpCarrierCallsPerSecond,
    });
  }

  checkSettings(settings: CarrierSettings): string | null {
    const read = this.read(settings);
    return read.ok ? null : read.message;
  }

  hostOf(settings: CarrierSettings): string {
    const read = this.read(settings);
    return read.ok ? read.url.host : '';
  }

  async placeCall(request: PlaceCallRequest, signal: AbortSignal): Promise<PlaceCallResult> {
    const read = this.read(request.carrierSettings);
    if (!read.ok) return { kind: 'refused', reason: 'carrier_settings_invalid' };
    const body = placeCallBody(request, this.callbackUrl);
    const key = dialKey(request);
    const headers = { 'idempotency-key': key, ...this.signature.headersFor(key, body) };
    return placeCallResult(await this.send({ method: 'POST', url: read.url, body, headers, signal }));
  }

  async findCall({ callRequestId, carrierSettings }: FindCallQuery, signal: AbortSignal) {
    const read = this.read(carrierSettings);
    if (!read.ok) return { kind: 'unknown', reason: 'carrier_settings_invalid' } satisfies FindCallResult;
    return findCallResult(await this.ask(read.url, callRequestId, signal), callRequestId);
  }

  async hangUp(request: HangUpRequest, signal: AbortSignal): Promise<HangUpResult> {
    const read = this.read(request.carrierSettings);
    if (!read.ok) return { kind: 'not_done', reason: 'carrier_settings_invalid' };
    const { callRequestId } = request;
    const body = hangUpBody(request);
    const headers = this.signature.headersFor(`${callRequestId}-hang-up`, body);
    const url = hangUpUrl(read.url, callRequestId);
    return hangUpResult(await this.send({ method: 'POST', url, body, headers, signal }));
  }

  /**
   * Looks up a call that does not exist. A runtime that answers 404 or 200 has accepted the signature. The
   * numbers belong to the runtime, so they are not checked.
   */
  async check(_numbers: readonly string[], signal: AbortSignal): Promise<CarrierCheck> {
    const read = this.read({});
    if (!read.ok) {
      const detail = 'is not set: each agent has its own carrierSettings.url, which is not checked';
      return { ok: true, items: [{ what: 'HTTP_CARRIER_URL', ok: true, detail }] };
    }
    const answer = await this.ask(read.url, NO_CALL, signal);
    const reached = answer.kind === 'answer';
    const known = reached && (answer.status === 404 || answer.status === 200);
    const items = [
      { what: 'HTTP_CARRIER_URL', ok: reached, detail: reached ? 'answers' : answer.reason },
      ...(reached
        ? [
            {
              what: 'HTTP_CARRIER_SECRET',
              ok: known,
              detail: known ? 'is taken' : `answered ${answer.status}`,
            },
          ]
        : []),
    ];
    return { ok: items.every(({ ok }) => ok), items };
  }

  close(): Promise<void> {
    this.requests.close();
    return Promise.resolve();
  }

  private read(settings: CarrierSettings) {
    return readHttpSettings(settings, { allowPrivate: this.allowPrivate, defaultUrl: this.options.url });
  }

  private ask(url: URL, callRequestId: string, signal: AbortSignal): Promise<SendOnceResult> {
    const headers = this.signature.headersFor(callRequestId, '');
    return this.send({ method: 'GET', url: callUrl(url, callRequestId), headers, signal });
  }

  private send(request: Pick<SendOnceRequest, 'method' | 'url' | 'body' | 'headers' | 'signal'>) {
    return this.requests.send({
      ...request,
      headers: { 'user-agent': 'Outdial', accept: 'application/json', ...request.headers },
      lookup: this.lookup,
      sendWithinMs: this.timeoutMs,
    });
  }
}
