import { RoundRobinQueue } from './round-robin-queue.js';

/**
 * While a burst of connections is accepted, this class deliberately slows down the work that it begins, for
 * at most this many milliseconds.
 */
export const MAX_ACCEPTING_MS = 500;

/** The long-run share of time in which accepted connections may slow down other work. */
const ACCEPTING_SHARE = 0.1;

/** Two pieces of work of a sender that is slowed down begin at least this many milliseconds apart. */
export const ACCEPTING_GAP_MS = 10;

/**
 * Begins work of several senders: a bounded amount in each iteration of the event loop, round-robin by
 * sender.
 */
export class FairIterations {
  private readonly waiting = new RoundRobinQueue<() => void>();
  /** How much work began in the current iteration. */
  private begun = 0;
  private scheduled = false;
  /** Whether a connection was accepted in the current iteration. */
  private accepting = false;
  /**
   * When the current series began; null outside a series. A series begins with an accepted connection, and
   * ends with an iteration that accepts none.
   */
  private acceptingSince: number | null = null;
  /**
   * How long work may still be slowed down, in milliseconds. The value changes only when a series begins or
   * ends.
   */
  private slowdownLeftMs = MAX_ACCEPTING_MS;
  /** When the last series ended. */
  private acceptedUntil = 0;
  /** When each sender last began slowed work in the current series. */
  private readonly begunAt = new Map<string, number>();

  /** @param now in milliseconds. */
  constructor(
    private readonly maxPerIteration: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * A connection was accepted. Less work begins until an iteration accepts no connection. The slowdown is
   * also bounded in time.
   */
  onAccepted(): void {
    this.accepting = true;
    if (this.acceptingSince === null) {
      const now = this.now();
      const regained = (now - this.acceptedUntil) * ACCEPTING_SHARE;
      this.slowdownLeftMs = Math.min(MAX_ACCEPTING_MS, this.slowdownLeftMs + regained);
      this.acceptingSince = now;
    }
    this.endIterationSoon();
  }

  /** Begins `work` now, or in a later iteration. */
  add(sender: string, work: () => void): void {
    this.endIterationSoon();
    if (this.waiting.size === 0 && this.mayBegin(sender)) {
      this.begun += 1;
      work();
    } else this.waiting.add(sender, work);
  }

  private mayBegin(sender: string): boolean {
    if (this.begun >= this.maxPerIteration) return false;
    if (!this.isSlowed()) return true;
    const now = this.now();
    if (now - (this.begunAt.get(sender) ?? -Infinity) < ACCEPTING_GAP_MS) return false;
    this.begunAt.set(sender, now);
    return true;
  }

  private isSlowed(): boolean {
    return this.acceptingSince !== null && this.now() - this.acceptingSince < this.slowdownLeftMs;
  }

  /**
   * Ends the iteration with `setImmediate`, which runs after the loop has read the sockets. The next
   * iteration then begins the work that waits.
   */
  private endIterationSoon(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      this.begun = 0;
      if (!this.accepting) this.endAccepting();
      this.accepting = false;
      this.beginIteration();
      if (this.begun > 0 || this.waiting.size > 0 || this.acceptingSince !== null) this.endIterationSoon();
    });
  }

  private endAccepting(): void {
    if (this.acceptingSince === null) return;
    this.acceptedUntil = this.now();
    this.slowdownLeftMs = Math.max(0, this.slowdownLeftMs - (this.acceptedUntil - this.acceptingSince));
    this.acceptingSince = null;
    this.begunAt.clear();
  }

  private beginIteration(): void {
    for (const work of this.waiting.take((sender) => this.mayBegin(sender))) {
      this.begun += 1;
      work();
      if (this.begun >= this.maxPerIteration) return;
    }
  }
}
