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
import { OpenRequests } from '../open-requests.js';
import { retryAfterMs } from '../../http/retry-after.js';
import { type SendOnceResult } from '../send-once.js';
import { isReasonCode, objectFrom } from '../answer-json.js';
import { carrierEventFromJson } from '../event-json.js';
import { SIMULATOR_DEFAULTS, simulatorBanner } from './simulator-options.js';

/** The URL and the limits of the simulator's process. */
export interface RemoteSimulatorOptions {
  url: string;
  timeoutMs?: number;
  callsPerSecond?: number | null;
}

/** The simulator as a process of its own, requested over HTTP; it reports to the API by callbacks. */
export class RemoteSimulatorCarrier implements Carrier {
  readonly name = 'simulator';
  readonly timeoutMs: number;
  readonly callsPerSecond: number | null;
  readonly banner = simulatorBanner('a process of its own');
  private readonly base: URL;
  private readonly requests = new OpenRequests();

  constructor({ url, timeoutMs, callsPerSecond }: RemoteSimulatorOptions) {
    this.base = new URL(url.endsWith('/') ? url : `${url}/`);
    this.timeoutMs = timeoutMs ?? SIMULATOR_DEFAULTS.timeoutMs;
    this.callsPerSecond = callsPerSecond ?? null;
  }

  async placeCall(request: PlaceCallRequest, signal: AbortSignal): Promise<PlaceCallResult> {
    const answer = await this.ask('POST', new URL('dial', this.base), signal, JSON.stringify(request));
    if (answer.kind === 'not_sent') return { kind: 'refused', reason: answer.reason };
    if (answer.kind === 'unreachable') return answer;
    if (answer.kind === 'broken') return { kind: 'unknown', reason: answer.reason };
    const { kind, carrierCallId, reason } = objectFrom(answer.body);
    if (
      answer.status === 200 &&
      kind === 'accepted' &&
      typeof carrierCallId === 'string' &&
      carrierCallId !== ''
    ) {
      return { kind: 'accepted', carrierCallId };
    }
    if (answer.status === 429) {
      const retryAfter = retryAfterMs(answer.headers['retry-after']);
      return {
        kind: 'throttled',
        reason: isReasonCode(reason) ? reason : 'carrier_throttled',
        retryAfterMs: retryAfter,
      };
    }
    // Only the simulator's own code counts: a proxy in between may answer 4xx to a request that it has passed
    // on.
    if (answer.status >= 400 && answer.status < 500 && kind === 'refused') {
      return { kind: 'refused', reason: isReasonCode(reason) ? reason : 'carrier_refused' };
    }
    return { kind: 'unknown', reason: `carrier_http_${answer.status}` };
  }

  async findCall(
    { callRequestId, carrierCallId, to }: FindCallQuery,
    signal: AbortSignal,
  ): Promise<FindCallResult> {
    const url = new URL('calls', this.base);
    url.searchParams.set('callRequestId', callRequestId);
    if (carrierCallId !== null) url.searchParams.set('carrierCallId', carrierCallId);
    url.searchParams.set('to', to);
    const answer = await this.ask('GET', url, signal);
    if (answer.kind !== 'answer') return { kind: 'unknown', reason: answer.reason };
    const { kind, event } = objectFrom(answer.body);
    if (answer.status === 404 && kind === 'not_found') return { kind: 'not_found' };
    const parsed = carrierEventFromJson(event);
    if (answer.status !== 200 || !parsed.ok || parsed.event.callRequestId !== callRequestId) {
      return { kind: 'unknown', reason: `carrier_http_${answer.status}` };
    }
    return { kind: 'found', event: parsed.event };
  }

  async hangUp(
    { callRequestId, carrierCallId, to }: HangUpRequest,
    signal: AbortSignal,
  ): Promise<HangUpResult> {
    const body = JSON.stringify({ callRequestId, carrierCallId, to });
    const answer = await this.ask('POST', new URL('hang-up', this.base), signal, body);
    if (answer.kind === 'broken') return { kind: 'unknown', reason: answer.reason };
    if (answer.kind !== 'answer') return { kind: 'not_done', reason: answer.reason };
    const { kind, event } = objectFrom(answer.body);
    if (answer.status === 404 && kind === 'not_in_progress') return { kind };
    if (answer.status !== 202 || kind !== 'accepted') {
      const isThrottled = answer.status === 429;
      return { kind: isThrottled ? 'not_done' : 'unknown', reason: `carrier_http_${answer.status}` };
    }
    const parsed = carrierEventFromJson(event);
    const isOurs = parsed.ok && parsed.event.callRequestId === callRequestId;
    return isOurs ? { kind, event: parsed.event } : { kind };
  }

  async check(_numbers: readonly string[], signal: AbortSignal): Promise<CarrierCheck> {
    const answer = await this.ask('GET', new URL('health', this.base), signal);
    const ok = answer.kind === 'answer' && answer.status === 200;
    const said = answer.kind === 'answer' ? `answered ${answer.status}` : answer.reason;
    const detail = ok ? 'answers; no telephone will ring' : said;
    return { ok, items: [{ what: 'SIMULATOR_URL', ok, detail }] };
  }

  close(): Promise<void> {
    this.requests.close();
    return Promise.resolve();
  }

  private ask(method: 'GET' | 'POST', url: URL, signal: AbortSignal, body?: string): Promise<SendOnceResult> {
    return this.requests.send({ method, url, body, signal, sendWithinMs: this.timeoutMs });
  }
}
