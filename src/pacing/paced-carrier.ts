import { PacingStoppedError, type Slot } from './slot.js';

/**
 * How late a dial may begin in its slot. Slots are further apart by this much a second, so that not even the first dial
 * of a second that was late and the last one that was not are more than the carrier takes.
 */
const TOLERANCE_MS = 12;
/** Nobody asks for more at once. */
const MOST_AT_ONCE = 50;
const LONGEST_LEAD_MS = 250;

/** Slots from Redis: how many, and the milliseconds until the first or until asking again is of use. */
export type AskForSlots = (intervalMs: number, wanted: number) => Promise<[count: number, ms: number]>;

interface Waiter {
  /** Has claimed its call already. */
  claimed: boolean;
  deadline: number;
  resolve: (slot: Slot | null) => void;
  reject: (error: Error) => void;
}

/** One carrier's slots, as this process gets them: one question at a time for all who wait. */
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
    private readonly ask: AskForSlots,
  ) {
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
    await pauseUntil(slot.earliest - Math.min(mean + 4 * deviation, LONGEST_LEAD_MS));
    this.begun.set(slot, performance.now());
  }

  async arrive(first: Slot, deadline: number): Promise<boolean> {
    const begun = this.begun.get(first);
    if (begun !== undefined) this.learn(performance.now() - begun);
    for (let slot: Slot | null = first; slot !== null; slot = await this.next(true, deadline)) {
      if (slot.earliest > deadline) return false;
      await pauseUntil(slot.earliest);
      if (performance.now() <= slot.latest) return true;
    }
    return false;
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

  /** null when the deadline has passed. Who has claimed goes first: the claim must not grow old. */
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
        const asked = performance.now();
        const [count, ms] = await this.ask(this.intervalMs, Math.min(this.waiters.length, MOST_AT_ONCE));
        const answered = performance.now();
        for (let index = 0; index < count; index += 1) {
          const offset = ms + index * this.intervalMs;
          // Redis looked at its clock between the question and the answer.
          const earliest = answered + offset;
          this.spare.push({ earliest, latest: Math.max(asked + offset + TOLERANCE_MS, earliest + 2) });
        }
        if (count === 0) await pauseUntil(answered + ms);
      }
    } finally {
      this.asking = false;
    }
  }

  private handOut(): void {
    const now = performance.now();
    this.spare = this.spare.filter(({ latest }) => latest > now).sort((a, b) => a.earliest - b.earliest);
    while (this.spare.length > 0 && this.waiters.length > 0) {
      const slot = this.spare.shift() ?? null;
      this.waiters.shift()?.resolve(slot);
    }
  }

  private dropOverdue(): void {
    const now = performance.now();
    for (const waiter of this.waiters) if (waiter.deadline <= now) waiter.resolve(null);
    this.waiters = this.waiters.filter(({ deadline }) => deadline > now);
  }
}

async function pauseUntil(instant: number): Promise<void> {
  const ms = instant - performance.now();
  // A timer may ring early by less than a millisecond.
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, Math.ceil(ms)));
}
