/** Wrong passwords in a row before the next has to wait, and the time in which one more is granted. */
const BURST = 10;
const REFILL_MS = 6_000;

/** Visitors that are remembered; beyond it the longest forgotten make room. */
const MAX_VISITORS = 10_000;

interface Bucket {
  attempts: number;
  at: number;
}

/**
 * How often each visitor may still be wrong: token buckets in this process's memory, bounded in number. What is counted
 * are failures alone, so that nobody's work uses anything up.
 */
export class FailedAttempts {
  private readonly buckets = new Map<string, Bucket>();

  /** @param now the monotonic clock, in milliseconds. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Seconds until the visitor's next attempt is judged; 0: at once. */
  waitSeconds(visitor: string): number {
    const left = this.leftOf(visitor);
    return left >= 1 ? 0 : Math.ceil(((1 - left) * REFILL_MS) / 1_000);
  }

  failed(visitor: string): void {
    const attempts = Math.max(0, this.leftOf(visitor) - 1);
    // To the end of the map, whose beginning is what gives way.
    this.buckets.delete(visitor);
    this.buckets.set(visitor, { attempts, at: this.now() });
    if (this.buckets.size <= MAX_VISITORS) return;
    const [oldest] = this.buckets.keys();
    if (oldest !== undefined) this.buckets.delete(oldest);
  }

  get size(): number {
    return this.buckets.size;
  }

  private leftOf(visitor: string): number {
    const bucket = this.buckets.get(visitor);
    if (bucket === undefined) return BURST;
    return Math.min(BURST, bucket.attempts + (this.now() - bucket.at) / REFILL_MS);
  }
}
