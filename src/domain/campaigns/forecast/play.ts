import { type GuardrailFacts } from '../../guardrails/guardrail.js';
import { addDuration } from '../duration.js';
import { type CampaignDecision, type Outlook, type WaitingFor } from '../decide/decision.js';
import { decide, decideWithoutSteps } from '../decide/decide.js';
import { KeptOpenings } from '../decide/kept-openings.js';
import { EventQueue } from './event-queue.js';
import { PlayedEnrollment, teamFacts } from './played-enrollment.js';
import { type ForecastEnrollment, type ForecastScene } from './scene.js';
import { add, type Counts, Tally } from './tally.js';

/** One dial of a play. */
export interface ForecastDial {
  /** The position of the enrollment in the list of enrollments. */
  index: number;
  number: string;
  /** The number of the enrollment's calls up to this one, including those before the play. */
  seq: number;
  stepKey: string;
  /** Epoch milliseconds. */
  at: number;
  outcome: string;
}

/** Waits that follow from the definition or from a call. During these, no rule refuses the enrollment. */
const NOT_DUE: ReadonlySet<WaitingFor> = new Set(['after', 'retry', 'callback', 'in_call', 'result']);
const MINUTE_MS = 60_000;
/**
 * The index of an event at which pacing allows the next claim. The same value is the rank of events that come
 * before the due enrollments of their instant.
 */
const PACE = -1;

/**
 * Plays a version with simulated time. It calls `decide` for an enrollment at the instant that the last
 * decision named, and when a call of the enrollment ends. The clock rules, the caps, the guardrails, pacing
 * and concurrency are those of the engine. The outcomes of calls are drawn.
 */
export class Play {
  readonly tally = new Tally();
  /** The most calls that were active at one instant. */
  peak = 0;
  /** The calls that were under way at the start. They count, even if they exceed the limit. */
  activeAtStart = 0;
  /** Until when more calls are under way than the limit allows; null if they are always within it. */
  overLimitUntil: number | null = null;
  private readonly calendar = new EventQueue();
  /**
   * Due enrollments that wait for a concurrency slot or for pacing. The enrollment that was due first is
   * next.
   */
  private readonly waiting = new EventQueue();
  private readonly enrollments: PlayedEnrollment[];
  private readonly concurrencySlots: number;
  private readonly team: GuardrailFacts;
  private readonly openings = new KeptOpenings();
  private readonly claims: number[] = [];
  private readonly usage = new Map<number, number>();
  private active = 0;
  private paceAt = Infinity;

  /** @param onDial is called for every dial. */
  constructor(
    private readonly scene: ForecastScene,
    enrollments: readonly ForecastEnrollment[],
    private readonly onDial?: (dial: ForecastDial) => void,
  ) {
    this.enrollments = enrollments.map((enrollment) => new PlayedEnrollment(scene, enrollment));
    this.team = teamFacts(scene);
    this.concurrencySlots = Math.min(scene.concurrency, scene.pacing.maxConcurrentCalls ?? Infinity);
    this.usage.set(monthOf(scene.planUsed.at), scene.planUsed.calls);
    for (const [index, one] of this.enrollments.entries()) {
      if (one.isUnderWay) this.begin(one.startsAt, index);
      else this.calendar.push({ at: one.startsAt, rank: one.rank, index });
    }
    this.activeAtStart = this.active;
    for (let n = 0; n < scene.suppressed; n += 1) this.tally.skip('DO_NOT_CALL', scene.from);
  }

  run(): this {
    while (this.calendar.nextAt < this.scene.until) {
      const { at, index } = this.calendar.pop()!;
      if (index === PACE) {
        this.paceAt = Infinity;
      } else {
        const wasOver = this.active > this.concurrencySlots;
        this.endCall(index);
        if (wasOver && this.active <= this.concurrencySlots) this.overLimitUntil = at;
        this.decideAt(index, at, at);
      }
      this.serveWaiting(at);
    }
    if (this.active > this.concurrencySlots) this.overLimitUntil = this.scene.until;
    return this;
  }

  /** How many enrollments are still live. */
  get live(): number {
    return this.enrollments.filter(({ hasEnded }) => !hasEnded).length;
  }

  /** What live enrollments wait for. */
  get waitingFor(): Counts {
    const counts: Counts = {};
    for (const { waitingFor } of this.enrollments) if (waitingFor !== null) add(counts, waitingFor);
    return counts;
  }

  private endCall(index: number): void {
    const one = this.enrollments[index]!;
    if (!one.isUnderWay) return;
    one.isUnderWay = false;
    this.active -= 1;
    this.tally.outcome(one.lastOutcome);
  }

  /** A free concurrency slot goes to the enrollment that was due first. */
  private serveWaiting(at: number): void {
    while (this.waiting.nextAt < Infinity && this.active < this.concurrencySlots) {
      const pacedUntil = this.pacedUntil(at);
      if (pacedUntil !== null) {
        if (pacedUntil.getTime() < this.paceAt) {
          this.paceAt = pacedUntil.getTime();
          this.calendar.push({ at: this.paceAt, rank: PACE, index: PACE });
        }
        return;
      }
      const { index, at: dueAt } = this.waiting.pop()!;
      this.decideAt(index, at, dueAt);
    }
  }

  /**
   * @param dueAt the instant since which the enrollment is due. Waiting enrollments are in the order of this
   *   instant.
   */
  private decideAt(index: number, at: number, dueAt: number): void {
    const one = this.enrollments[index]!;
    const { definition } = this.scene;
    const now = new Date(at);
    if (definition.steps.length === 0) return this.decideWithoutSteps(index, now);
    for (;;) {
      const { agent } = one;
      // The version lacks the step of the enrollment.
      if (agent === undefined) return this.end(one, 'not_dialable', at);
      const facts = one.factsAt(at, agent, {
        team: this.team,
        planUsed: this.usage.get(monthOf(at)) ?? 0,
        pacedUntil: this.pacedUntil(at),
        hasConcurrencySlot: this.active < this.concurrencySlots,
        keptOpenings: this.openings,
      });
      const decision = decide(one.state, definition, facts, now);
      switch (decision.kind) {
        case 'move':
          one.stepKey = decision.stepKey;
          continue;
        case 'dial':
          return this.dial(index, decision, at);
        case 'end':
          return this.end(one, decision.endReason, at);
        case 'idle':
          one.waitingFor = 'no_steps';
          return this.wake(index, decision.lookAt?.getTime() ?? null, at);
        case 'defer':
        case 'hold':
          return this.wait(index, decision, at, dueAt);
      }
    }
  }

  private decideWithoutSteps(index: number, now: Date): void {
    const one = this.enrollments[index]!;
    const lifetimeAt = this.lifetimeAt(one);
    const decision = decideWithoutSteps(lifetimeAt === null ? null : new Date(lifetimeAt), now);
    if (decision.kind === 'end') return this.end(one, decision.endReason, now.getTime());
    one.waitingFor = 'no_steps';
    this.wake(index, lifetimeAt, now.getTime());
  }

  private end(one: PlayedEnrollment, reason: string, at: number): void {
    if (reason === 'suppressed') this.tally.skip('DO_NOT_CALL', at);
    this.tally.end(reason, at);
    one.end();
  }

  private dial(
    index: number,
    { stepKey, callback }: Extract<CampaignDecision, { kind: 'dial' }>,
    at: number,
  ): void {
    const one = this.enrollments[index]!;
    this.begin(one.dial(stepKey, callback, at), index);
    const month = monthOf(at);
    this.usage.set(month, (this.usage.get(month) ?? 0) + 1);
    if (this.scene.pacing.callsPerMinute !== null) this.claims.push(at);
    this.tally.dial(at);
    const { number, seq, lastOutcome: outcome } = one;
    this.onDial?.({ index, number, seq, stepKey, at, outcome });
  }

  /** The end of a call comes before all other events of its instant. */
  private begin(endsAt: number, index: number): void {
    this.active += 1;
    this.peak = Math.max(this.peak, this.active);
    this.calendar.push({ at: endsAt, rank: PACE, index });
  }

  private wait(
    index: number,
    decision: Outlook & { kind: 'defer' | 'hold' },
    at: number,
    dueAt: number,
  ): void {
    const one = this.enrollments[index]!;
    const { kind, waitingFor, lookAt, nextAttemptAt } = decision;
    one.waitingFor = waitingFor;
    if (NOT_DUE.has(waitingFor)) one.refusedBy = null;
    else if (one.refusedBy !== waitingFor) {
      one.refusedBy = waitingFor;
      this.tally.skip(waitingFor, at);
    }
    if (waitingFor === 'concurrency' || waitingFor === 'pacing') {
      this.waiting.push({ at: dueAt, rank: one.rank, index });
    } else {
      // In a play only the time changes, so a held enrollment is not decided every minute.
      const heldUntil = nextAttemptAt?.getTime() ?? this.lifetimeAt(one);
      this.wake(index, kind === 'defer' ? lookAt.getTime() : heldUntil, at);
    }
  }

  /** @param wakeAt null: never. */
  private wake(index: number, wakeAt: number | null, at: number): void {
    if (wakeAt === null) return;
    const due = Math.max(wakeAt, at + 1);
    this.calendar.push({ at: due, rank: this.enrollments[index]!.rank, index });
  }

  private lifetimeAt(one: PlayedEnrollment): number | null {
    const { lifetime } = this.scene.definition.caps;
    return lifetime && addDuration(one.state.enrolledAt, lifetime, one.zone).getTime();
  }

  private pacedUntil(at: number): Date | null {
    const limit = this.scene.pacing.callsPerMinute;
    const oldest = limit === null ? undefined : this.claims[this.claims.length - limit];
    return oldest === undefined || oldest + MINUTE_MS <= at ? null : new Date(oldest + MINUTE_MS);
  }
}

/** The calendar month of UTC. */
function monthOf(at: number): number {
  const date = new Date(at);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}
