import { PacingStoppedError, type PacingSlot } from './pacer.js';
import { type Clock, MARGIN_MS, PROCESS_CLOCK, type PacingSlotSource, TOLERANCE_MS } from './slot.js';

/** The largest number of pacing slots that one request to Redis takes. */
const MAX_PACING_SLOTS_A_REQUEST = 50;
const MAX_LEAD_MS = 250;
/**
 * How long a passed pacing slot is kept for a late dial, in milliseconds. It must stay well below 500 ms. A
 * lane's slots are about a second apart, and a worker takes a slot at most 500 ms in advance (`HORIZON_MS`).
 * So from 500 ms after a slot, another worker may have taken the lane's next one. A late dial could then come
 * too soon before the dial of that worker.
 */
const KEPT_MS = 200;

interface Waiter {
  /** Whether the waiting call is claimed. */
  claimed: boolean;
  deadline: number;
  resolve: (pacingSlot: PacingSlot | null) => void;
  reject: (error: Error) => void;
}

/**
 * One carrier's pacing slots in this process. The process sends one request for slots to Redis at a time. A
 * request takes slots for up to {@link MAX_PACING_SLOTS_A_REQUEST} waiting calls.
 */
export class PacedCarrier {
  private readonly intervalMs: number;
  private waiters: Waiter[] = [];
  private spare: PacingSlot[] = [];
  private requesting = false;
  private stopped = false;
  /** Mean and deviation of the recent claims' duration, in milliseconds. */
  private readonly claims = { mean: 10, deviation: 5 };
  private readonly begun = new WeakMap<PacingSlot, number>();

  constructor(
    readonly callsPerSecond: number,
    private readonly source: PacingSlotSource,
    private readonly clock: Clock = PROCESS_CLOCK,
  ) {
    // Pacing slots of a lane are a second plus the tolerance apart, so a dial within the tolerance does not
    // delay the lane's next dial.
    this.intervalMs = (1_000 + TOLERANCE_MS) / callsPerSecond;
  }

  /** @throws PacingStoppedError */
  async take(): Promise<PacingSlot> {
    const pacingSlot = await this.next(false, Infinity);
    if (pacingSlot === null) throw new PacingStoppedError();
    return pacingSlot;
  }

  /**
   * Waits until shortly before the pacing slot, so that the claim is usually committed in time. The lead
   * before the slot is a high estimate of a claim's duration. It is at most {@link MAX_LEAD_MS}.
   */
  async approach(pacingSlot: PacingSlot): Promise<void> {
    const { mean, deviation } = this.claims;
    await this.pauseUntil(pacingSlot.earliest - Math.min(mean + 4 * deviation, MAX_LEAD_MS));
    this.begun.set(pacingSlot, this.clock.now());
  }

  async arrive(first: PacingSlot, deadline: number): Promise<PacingSlot | null> {
    const begun = this.begun.get(first);
    if (begun !== undefined) this.recordClaim(this.clock.now() - begun);
    for (
      let pacingSlot: PacingSlot | null = first;
      pacingSlot !== null;
      pacingSlot = await this.next(true, deadline)
    ) {
      if (pacingSlot.earliest > deadline) return null;
      await this.pauseUntil(pacingSlot.earliest);
      const inTime = this.clock.now() <= pacingSlot.latest - MARGIN_MS;
      const agreed = inTime ? pacingSlot : await this.dialLate(pacingSlot, deadline);
      if (agreed !== null) return agreed;
    }
    return null;
  }

  /**
   * Requests permission from Redis for a late dial. If the permission has expired when the answer arrives,
   * requests a new permission that is valid for twice as long.
   *
   * @returns null without permission, or if the deadline has passed.
   */
  private async dialLate(pacingSlot: PacingSlot, deadline: number): Promise<PacingSlot | null> {
    for (let withinMs = TOLERANCE_MS; this.clock.now() < deadline; withinMs *= 2) {
      const latest = this.clock.now() + withinMs;
      if (!(await this.source.dialLate(pacingSlot.number, withinMs))) return null;
      if (this.clock.now() <= Math.min(latest - MARGIN_MS, deadline)) return { ...pacingSlot, latest };
    }
    return null;
  }

  /**
   * If the dial began later than its pacing slot allows, postpones the lane's next dial.
   *
   * @returns false if the next dial had to be postponed and could not be postponed.
   */
  async dialed({ number, latest }: PacingSlot): Promise<boolean> {
    return this.clock.now() <= latest || this.source.dialLate(number, 0);
  }

  release(pacingSlot: PacingSlot): void {
    this.spare.push(pacingSlot);
    void this.serve();
  }

  stop(): void {
    this.stopped = true;
    for (const waiter of this.waiters) if (!waiter.claimed) waiter.reject(new PacingStoppedError());
    this.waiters = this.waiters.filter(({ claimed }) => claimed);
  }

  /**
   * Waits for a pacing slot, and resolves to null if the deadline passes. The deadline is checked only before
   * each request to Redis, so the promise may resolve to null late. A claimed call goes first, because it is
   * dialed within 5 seconds or not at all.
   */
  private next(claimed: boolean, deadline: number): Promise<PacingSlot | null> {
    if (this.stopped && !claimed) return Promise.reject(new PacingStoppedError());
    return new Promise((resolve, reject) => {
      const waiter = { claimed, deadline, resolve, reject };
      if (claimed) this.waiters.unshift(waiter);
      else this.waiters.push(waiter);
      void this.serve();
    });
  }

  /** Smooths mean and deviation as TCP does for its retransmission timer (RFC 6298). */
  private recordClaim(claimMs: number): void {
    const error = claimMs - this.claims.mean;
    this.claims.mean += error / 8;
    this.claims.deviation += (Math.abs(error) - this.claims.deviation) / 4;
  }

  private async serve(): Promise<void> {
    if (this.requesting) return;
    this.requesting = true;
    try {
      while (this.waiters.length > 0) {
        this.dropOverdue();
        this.assignSpare();
        if (this.waiters.length === 0) break;
        const sentAt = this.clock.now();
        const wanted = Math.min(this.waiters.length, MAX_PACING_SLOTS_A_REQUEST);
        const taken = await this.source.take(this.intervalMs, wanted);
        const answeredAt = this.clock.now();
        if ('againMs' in taken) {
          await this.pauseUntil(answeredAt + taken.againMs);
          continue;
        }
        for (const { number, ms } of taken) {
          // `ms` counts from the moment when Redis read its clock. That moment is between `sentAt` and
          // `answeredAt`. So `earliest` is never before the slot, and `latest` never beyond its tolerance.
          const [earliest, latest] = [answeredAt + ms, sentAt + ms + TOLERANCE_MS];
          this.spare.push({ number, earliest, latest });
        }
      }
    } finally {
      this.requesting = false;
    }
  }

  private assignSpare(): void {
    const now = this.clock.now();
    this.spare = this.spare
      .filter(({ latest }) => latest + KEPT_MS > now)
      .sort((a, b) => a.earliest - b.earliest);
    while (this.spare.length > 0 && this.waiters.length > 0) {
      const pacingSlot = this.spare.shift() ?? null;
      this.waiters.shift()?.resolve(pacingSlot);
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
