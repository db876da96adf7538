import {
  type Carrier,
  type CarrierCheck,
  type CarrierEventListener,
  type FindCallQuery,
  type FindCallResult,
  type HangUpRequest,
  type HangUpResult,
  type PlaceCallRequest,
  type PlaceCallResult,
} from '../carrier.js';
import { type DialRecord } from './dial-log.js';
import { type DialAnswer, SimulatorEngine } from './engine.js';
import { EventDelivery, type EventDeliveryOptions } from './event-delivery.js';
import { type SimulatorRule } from './rules.js';
import { SIMULATOR_DEFAULTS, simulatorBanner, type SimulatorOptions } from './simulator-options.js';

/**
 * How long after the dial a call without a report is looked up: its process may have been killed, and no
 * other process reports the calls that this process began. Usual calls have ended by then.
 */
const LOOK_UP_AFTER_MS = 10_000;

/**
 * The simulator inside the process that dials. Nothing else has to be started. If the process is stopped, its
 * calls end with it. If it is killed, a look-up of any process tells how its calls went on.
 */
export class SimulatorCarrier implements Carrier {
  readonly name = 'simulator';
  readonly timeoutMs: number;
  readonly callsPerSecond: number | null;
  readonly lookUpAfterMs = LOOK_UP_AFTER_MS;
  readonly banner = simulatorBanner('in this process');
  private readonly engine: SimulatorEngine;
  private readonly delivery: EventDelivery;
  private listener: CarrierEventListener | null = null;

  constructor(options: SimulatorOptions = {}, delivery: EventDeliveryOptions = {}) {
    this.timeoutMs = options.timeoutMs ?? SIMULATOR_DEFAULTS.timeoutMs;
    this.callsPerSecond = options.callsPerSecond ?? null;
    this.delivery = new EventDelivery(async (event) => {
      await this.listener?.(event);
    }, delivery);
    this.engine = new SimulatorEngine(options, (event) => this.delivery.deliver(event));
  }

  start(): void {
    this.engine.open();
  }

  /** Must be called before the first dial; events without a listener are lost. */
  onEvent(listener: CarrierEventListener): void {
    this.listener = listener;
  }

  async placeCall(request: PlaceCallRequest, signal: AbortSignal): Promise<PlaceCallResult> {
    if (signal.aborted) return { kind: 'unknown', reason: 'carrier_timeout' };
    return resultOf(await orAborted(this.engine.dial(request), signal));
  }

  findCall({ callRequestId, carrierCallId, to }: FindCallQuery): Promise<FindCallResult> {
    const event = this.engine.find(callRequestId, carrierCallId, to);
    return Promise.resolve(event === null ? { kind: 'not_found' } : { kind: 'found', event });
  }

  /** Also ends calls that another process plays: their ids tell how they go. */
  hangUp({ callRequestId, carrierCallId, to }: HangUpRequest): Promise<HangUpResult> {
    const ended = this.engine.hangUp(callRequestId, carrierCallId, to);
    return Promise.resolve(ended === null ? { kind: 'not_in_progress' } : { kind: 'accepted', ...ended });
  }

  check(): Promise<CarrierCheck> {
    const detail = 'part of the worker; no telephone will ring';
    return Promise.resolve({ ok: true, items: [{ what: 'simulator', ok: true, detail }] });
  }

  setRules(rules: readonly SimulatorRule[]): void {
    this.engine.setRules(rules);
  }

  /** The dials received so far, oldest first. */
  dials(): readonly DialRecord[] {
    return this.engine.dials();
  }

  /** Ends and reports the calls under way, because no other process knows these calls later. */
  async close(): Promise<void> {
    this.engine.close();
    await this.delivery.close();
  }
}

function resultOf(answer: DialAnswer): PlaceCallResult {
  switch (answer.kind) {
    case 'accepted':
    case 'refused':
    case 'throttled':
      return answer;
    case 'error':
      return { kind: 'unknown', reason: 'carrier_http_500' };
    case 'reset':
      return { kind: 'unknown', reason: 'carrier_reset' };
    case 'closed':
      return { kind: 'unknown', reason: 'carrier_closed' };
  }
}

// Ends the wait for a dial when its request is aborted. Otherwise the result of a dial that hangs would stay
// pending until `close`.
function orAborted(answer: Promise<DialAnswer>, signal: AbortSignal): Promise<DialAnswer> {
  return new Promise((resolve) => {
    const abort = () => resolve({ kind: 'closed' });
    signal.addEventListener('abort', abort, { once: true });
    void answer.then((settled) => {
      signal.removeEventListener('abort', abort);
      resolve(settled);
    });
  });
}
