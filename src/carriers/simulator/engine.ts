import { type ReportedResult } from '../../http/call-result-fields.js';
import { type CarrierEvent, type CarrierEventStatus } from '../carrier.js';
import { DialCounts } from './dial-counts.js';
import { DialLog, type DialRecord } from './dial-log.js';
import { jitterFrom } from './jitter.js';
import { carrierCallIdOf, isAnswered, type PlayedCall, playedCallOf, stateOf } from './played-call.js';
import {
  outcomeOf,
  ruleFor,
  SIMULATOR_OUTCOMES,
  type SimulatorBehaviour,
  type SimulatorOutcome,
  type SimulatorResult,
  type SimulatorRule,
} from './rules.js';
import { SIMULATOR_DEFAULTS, type SimulatorOptions } from './simulator-options.js';

/**
 * The engine's answer to a dial. `SimulatorCarrier` turns it into a result, and `SimulatorServer` into an
 * HTTP answer. The outcome `hang` has no answer before `close`.
 */
export type DialAnswer =
  | { kind: 'accepted'; carrierCallId: string }
  | { kind: 'refused'; reason: string }
  | { kind: 'throttled'; reason: string; retryAfterMs: number }
  | { kind: 'error' | 'reset' | 'closed' };

interface Call {
  record: DialRecord;
  played: PlayedCall;
  behaviour: SimulatorBehaviour;
  rule: SimulatorRule | undefined;
  timer: NodeJS.Timeout | null;
  answer: (answer: DialAnswer) => void;
  /** The state that the listing shows; null until the call is accepted. */
  latest: CarrierEvent | null;
  answeredAt: number | null;
}

// Bounds the memory of a simulator that runs for weeks; the dial log on disk keeps everything.
const RETAINED = 50_000;

/** The reason of a call that was hung up before it was answered. */
const HUNG_UP = 'simulated_hang_up';

/**
 * Decides the outcome of a dial by explicit rules, and simulates the call with timers: accepted, ringing,
 * talking, ended. The engine uses no network.
 */
export class SimulatorEngine {
  private readonly options: Required<SimulatorOptions>;
  private readonly log: DialLog;
  private readonly spread: (ms: number) => number;
  private rules: readonly SimulatorRule[];
  private readonly underWay = new Set<Call>();
  private readonly byCallRequest = new Map<string, Call>();
  private records: DialRecord[] = [];
  private readonly counts = new DialCounts();
  private opened = false;
  private closed = false;

  constructor(
    options: SimulatorOptions,
    private readonly onEvent: (event: CarrierEvent) => void,
  ) {
    this.options = { ...SIMULATOR_DEFAULTS, ...withoutUndefined(options) };
    this.rules = this.options.rules;
    this.log = new DialLog(this.options.dialLogPath);
    this.spread = jitterFrom(this.options.seed, this.options.jitter);
  }

  /**
   * Opens the dial log and counts the dials in it, so that a restarted process continues each rule's
   * `outcomes`.
   *
   * @throws the error of the file system if the log cannot be read or written.
   */
  open(): void {
    if (this.opened) return;
    this.log.open();
    for (const to of this.log.destinations()) this.counts.add(to);
    this.opened = true;
  }

  /** Takes effect for the next dial; calls under way keep the rule they began with. */
  setRules(rules: readonly SimulatorRule[]): void {
    this.rules = rules;
  }

  /** The latest dials that this process received, oldest first; at least {@link RETAINED} are kept. */
  dials(): readonly DialRecord[] {
    return this.records;
  }

  /**
   * The latest known state of the newest dial for a call request, as a carrier's listing would show it. A call
   * of a process that was killed, or of another process, is known by its carrier call id, and its result by
   * the rule for its destination.
   */
  find(callRequestId: string, carrierCallId: string | null = null, to = ''): CarrierEvent | null {
    const call = this.byCallRequest.get(callRequestId);
    if (call !== undefined) return call.behaviour.listed ? call.latest : null;
    return carrierCallId === null ? null : this.findPlayed(callRequestId, carrierCallId, to);
  }

  /**
   * Ends an accepted call that has not ended. A call of this process reports its end as any call does. The end
   * of a call that another process plays is returned as an event.
   *
   * @returns null if no such call is in progress.
   */
  hangUp(callRequestId: string, carrierCallId: string | null, to: string): { event?: CarrierEvent } | null {
    const call = this.byCallRequest.get(callRequestId);
    if (call === undefined) return this.hangUpPlayed(callRequestId, carrierCallId, to);
    if (!this.underWay.has(call) || call.latest === null) return null;
    if (call.timer !== null) clearTimeout(call.timer);
    if (call.answeredAt === null) this.end(call, 'failed', HUNG_UP);
    else this.end(call, call.behaviour.end);
    return {};
  }

  private hangUpPlayed(
    callRequestId: string,
    carrierCallId: string | null,
    to: string,
  ): { event?: CarrierEvent } | null {
    const played = carrierCallId === null ? null : playedCallOf(carrierCallId);
    if (played === null) return null;
    const { status: now, answeredAt } = stateOf(played, Date.now());
    if (now !== 'in_progress') return null;
    const rule = ruleFor(this.rules, to);
    const status = answeredAt === null ? 'failed' : SIMULATOR_OUTCOMES[played.outcome].end;
    const event = { callRequestId, carrierCallId, status, at: new Date() };
    return { event: eventOf(event, answeredAt, HUNG_UP, rule?.result) };
  }

  private findPlayed(callRequestId: string, carrierCallId: string, to: string): CarrierEvent | null {
    const played = playedCallOf(carrierCallId);
    if (played === null) return null;
    const rule = ruleFor(this.rules, to);
    if (!(rule?.listed ?? SIMULATOR_OUTCOMES[played.outcome].listed)) return null;
    const { status, at, answeredAt } = stateOf(played, Date.now());
    return eventOf(
      { callRequestId, carrierCallId, status, at: new Date(at) },
      answeredAt,
      undefined,
      rule?.result,
    );
  }

  /**
   * Receives one request to dial. A dial is written to the dial log before this returns, and is refused if it
   * cannot be logged. A throttled request is no dial.
   */
  dial(request: { callRequestId: string; to: string; from: string }): Promise<DialAnswer> {
    if (this.closed) return Promise.resolve({ kind: 'refused', reason: 'simulator_closed' });
    const rule = ruleFor(this.rules, request.to);
    const outcome = outcomeOf(rule, this.counts.of(request.to) + 1, request.to);
    const behaviour: SimulatorBehaviour = {
      ...SIMULATOR_OUTCOMES[outcome],
      ...withoutUndefined({ reports: rule?.reports, listed: rule?.listed }),
    };
    if (behaviour.answer === 'throttle') {
      // A throttled request is not a dial, so the log omits it. The request uses up its entry in `outcomes`.
      // Otherwise the entry would apply to every later request as well.
      if (rule?.outcomes) this.counts.add(request.to);
      const retryAfterMs = rule?.retryAfterMs ?? this.options.retryAfterMs;
      return Promise.resolve({ kind: 'throttled', reason: 'simulated_throttling', retryAfterMs });
    }
    const { callRequestId, to, from } = request;
    const played = this.playOf(outcome, behaviour, rule);
    const record = {
      at: new Date(played.dialedAt).toISOString(),
      callRequestId,
      to,
      from,
      outcome,
      carrierCallId: carrierCallIdOf(played),
    };
    try {
      this.log.append(record);
    } catch {
      return Promise.resolve({ kind: 'refused', reason: 'dial_log_unwritable' });
    }
    this.counts.add(to);
    this.records.push(record);
    return new Promise((resolve) => {
      const begun = { timer: null, latest: null, answeredAt: null };
      const call: Call = { record, played, behaviour, rule, answer: resolve, ...begun };
      this.remember(call);
      this.play(call);
    });
  }

  /**
   * Hangs up. Accepted calls end and report now, open dials are answered with `closed`, and no timer is left.
   */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    for (const call of this.underWay) {
      if (call.timer !== null) clearTimeout(call.timer);
      call.answer({ kind: 'closed' });
      if (call.answeredAt !== null) this.end(call, call.behaviour.end);
      else if (call.latest !== null) this.end(call, 'failed', 'simulator_closed');
    }
    this.underWay.clear();
    this.log.close();
  }

  private playOf(
    outcome: SimulatorOutcome,
    { late }: SimulatorBehaviour,
    rule: SimulatorRule | undefined,
  ): PlayedCall {
    const { options } = this;
    return {
      outcome,
      dialedAt: Date.now(),
      acceptMs: this.spread(rule?.acceptMs ?? (late === true ? options.lateMs : options.acceptMs)),
      ringMs: this.spread(rule?.ringMs ?? options.ringMs),
      talkMs: this.spread(rule?.talkMs ?? options.talkMs),
    };
  }

  private play(call: Call): void {
    const { behaviour } = call;
    const { acceptMs, ringMs, talkMs } = call.played;
    this.after(call, acceptMs, () => {
      this.answerDial(call);
      if (behaviour.answer === 'refuse') return void this.underWay.delete(call);
      call.latest = this.event(call, 'in_progress');
      this.after(call, ringMs, () => {
        if (!isAnswered(behaviour.end)) return this.end(call, behaviour.end, behaviour.reason);
        this.pickUp(call);
        this.after(call, talkMs, () => this.end(call, behaviour.end));
      });
    });
  }

  private answerDial(call: Call): void {
    switch (call.behaviour.answer) {
      case 'accept':
        return call.answer({ kind: 'accepted', carrierCallId: call.record.carrierCallId });
      case 'refuse':
        return call.answer({ kind: 'refused', reason: 'simulated_refusal' });
      case 'error':
      case 'reset':
        return call.answer({ kind: call.behaviour.answer });
      case 'throttle':
      case 'hang':
    }
  }

  private pickUp(call: Call): void {
    call.answeredAt = Date.now();
    call.latest = this.event(call, 'in_progress');
    if (call.behaviour.reports !== 'disordered') this.report(call, call.latest);
  }

  private end(call: Call, status: CarrierEventStatus, reason?: string): void {
    this.underWay.delete(call);
    const beginning = call.latest;
    call.latest = this.event(call, status, reason);
    this.report(call, call.latest);
    if (call.behaviour.reports === 'disordered' && beginning !== null) this.report(call, beginning);
  }

  private event(call: Call, status: CarrierEventStatus, reason?: string): CarrierEvent {
    const { callRequestId, carrierCallId } = call.record;
    return eventOf(
      { callRequestId, carrierCallId, status, at: new Date() },
      call.answeredAt,
      reason,
      call.rule?.result,
    );
  }

  private report(call: Call, event: CarrierEvent): void {
    const times = { once: 1, disordered: 1, twice: 2, none: 0 }[call.behaviour.reports];
    for (let time = 0; time < times; time += 1) this.onEvent(event);
  }

  private after(call: Call, ms: number, then: () => void): void {
    call.timer = setTimeout(then, ms);
  }

  private remember(call: Call): void {
    this.underWay.add(call);
    // Deleted first, so that the newest dial of a call request is also the newest entry of the map.
    this.byCallRequest.delete(call.record.callRequestId);
    this.byCallRequest.set(call.record.callRequestId, call);
    for (const [id, old] of this.byCallRequest) {
      if (this.byCallRequest.size <= RETAINED || this.underWay.has(old)) break;
      this.byCallRequest.delete(id);
    }
    if (this.records.length >= 2 * RETAINED) this.records = this.records.slice(-RETAINED);
  }
}

/** @param answeredAt a Unix time in ms. */
function eventOf(
  event: CarrierEvent,
  answeredAt: number | null,
  reason?: string,
  result?: SimulatorResult,
): CarrierEvent {
  const { status, at } = event;
  if (answeredAt !== null) {
    event.answeredAt = new Date(answeredAt);
    const talkedMs = at.getTime() - answeredAt;
    if (status !== 'in_progress') event.durationSeconds = Math.max(0, Math.round(talkedMs / 1000));
  }
  if (status === 'failed') event.reason = reason ?? 'simulated_failure';
  if (status === 'completed' && result) event.result = reportedResult(result);
  return event;
}

function reportedResult({ disposition, callbackAt, optOut }: SimulatorResult): ReportedResult {
  const at = callbackAt === undefined ? null : new Date(callbackAt);
  return { disposition: disposition ?? null, callbackAt: at, optOut: optOut ?? false, data: null };
}

// An option left undefined by the configuration must not displace its default.
function withoutUndefined<T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
