import { PacingStoppedError, type Slot } from './pacer.js';
import { type Clock, MARGIN_MS, PROCESS_CLOCK, type SlotSource, TOLERANCE_MS } from './slot.js';

/** No request asks for more slots. */
const MOST_AT_ONCE = 50;
const LONGEST_LEAD_MS = 250;
/** A slot that has passed can be dialed late; later than this its lane is about to be handed out again. */
const KEPT_MS = 200;

interface Waiter {
  /** Has claimed its call already. */
  claimed: boolean;
  deadline: number;
  resolve: (slot: Slot | null) => void;
  reject: (error: Error) => void;
}

/** One carrier's slots as this process takes them: one request to Redis at a time for all waiting calls. */
export class PacedCarrier {
  private readonly intervalMs: number;
  private waiters: Waiter[] = [];
  private spare: Slot[] = [];
  private asking = false;
  private stopped = false;
  /** Claims take `mean` milliseconds, give or take `deviation`, as they were lately. */
  private readonly claims = { mean: 10, deviation: 5 };
  private readonly begun = new WeakMap<Slot, number>();

  constructor(
    callsPerSecond: number,
    private readonly slots: SlotSource,
    private readonly clock: Clock = PROCESS_CLOCK,
  ) {
    // Slots of a lane are a second and the tolerance apart: one dial may be late by as much, and the next on time.
    this.intervalMs = (1_000 + TOLERANCE_MS) / callsPerSecond;
  }

  /** @throws PacingStoppedError */
  async take(): Promise<Slot> {
    const slot = await this.next(false, Infinity);
    if (slot === null) throw new PacingStoppedError();
    return slot;
  }

  /** Waits until the claim has to begin if it shall be done by the slot. */
  async approach(slot: Slot): Promise<void> {
    const { mean, deviation } = this.claims;
    await this.pauseUntil(slot.earliest - Math.min(mean + 4 * deviation, LONGEST_LEAD_MS));
    this.begun.set(slot, this.clock.now());
  }

  async arrive(first: Slot, deadline: number): Promise<Slot | null> {
    const begun = this.begun.get(first);
    if (begun !== undefined) this.learn(this.clock.now() - begun);
    for (let slot: Slot | null = first; slot !== null; slot = await this.next(true, deadline)) {
      if (slot.earliest > deadline) return null;
      await this.pauseUntil(slot.earliest);
      const inTime = this.clock.now() <= slot.latest - MARGIN_MS;
      const agreed = inTime ? slot : await this.dialLate(slot, deadline);
      if (agreed !== null) return agreed;
    }
    return null;
  }

  /** Until the word of Redis comes soon enough to be true when it is acted upon: each is asked to hold for twice as long. */
  private async dialLate(slot: Slot, deadline: number): Promise<Slot | null> {
    for (let withinMs = TOLERANCE_MS; this.clock.now() < deadline; withinMs *= 2) {
      const latest = this.clock.now() + withinMs;
      if (!(await this.slots.dialLate(slot.number, withinMs))) return null;
      if (this.clock.now() <= Math.min(latest - MARGIN_MS, deadline)) return { ...slot, latest };
    }
    return null;
  }

  /**
   * The process may be held up between its look at the clock and the dial: the next dial of its lane makes up for it.
   *
   * @returns whether that could still be moved, where it had to be.
   */
  async dialed({ number, latest }: Slot): Promise<boolean> {
    return this.clock.now() <= latest || this.slots.dialLate(number, 0);
  }

  giveBack(slot: Slot): void {
    this.spare.push(slot);
    void this.serve();
  }

  stop(): void {
    this.stopped = true;
    for (const waiter of this.waiters) if (!waiter.claimed) waiter.reject(new PacingStoppedError());
    this.waiters = this.waiters.filter(({ claimed }) => claimed);
  }

  /** null when the deadline has passed. A claimed call goes first, because a claim is dialed within 5 seconds or not at all. */
  private next(claimed: boolean, deadline: number): Promise<Slot | null> {
    if (this.stopped && !claimed) return Promise.reject(new PacingStoppedError());
    return new Promise((resolve, reject) => {
      const waiter = { claimed, deadline, resolve, reject };
      if (claimed) this.waiters.unshift(waiter);
      else this.waiters.push(waiter);
      void this.serve();
    });
  }

  /** As TCP learns how long to wait for an answer (RFC 6298). */
  private learn(claimMs: number): void {
    const off = claimMs - this.claims.mean;
    this.claims.mean += off / 8;
    this.claims.deviation += (Math.abs(off) - this.claims.deviation) / 4;
  }

  private async serve(): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    try {
      while (this.waiters.length > 0) {
        this.dropOverdue();
        this.handOut();
        if (this.waiters.length === 0) break;
        const asked = this.clock.now();
        const got = await this.slots.take(this.intervalMs, Math.min(this.waiters.length, MOST_AT_ONCE));
        const answered = this.clock.now();
        if ('againMs' in got) {
          await this.pauseUntil(answered + got.againMs);
          continue;
        }
        for (const { number, ms } of got) {
          // Redis looked at its clock between the question and the answer.
          const [earliest, latest] = [answered + ms, asked + ms + TOLERANCE_MS];
          this.spare.push({ number, earliest, latest });
        }
      }
    } finally {
      this.asking = false;
    }
  }

  private handOut(): void {
    const now = this.clock.now();
    this.spare = this.spare
      .filter(({ latest }) => latest + KEPT_MS > now)
      .sort((a, b) => a.earliest - b.earliest);
    while (this.spare.length > 0 && this.waiters.length > 0) {
      const slot = this.spare.shift() ?? null;
      this.waiters.shift()?.resolve(slot);
    }
  }

  private dropOverdue(): void {
    const now = this.clock.now();
    for (const waiter of this.waiters) if (waiter.deadline <= now) waiter.resolve(null);
    this.waiters = this.waiters.filter(({ deadline }) => deadline > now);
  }

  private async pauseUntil(instant: number): Promise<void> {
    const ms = instant - this.clock.now();
    if (ms > 0) await this.clock.sleep(ms);
  }
}
