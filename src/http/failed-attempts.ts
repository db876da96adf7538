/** The most networks in memory. Beyond this number, the entry that was changed the longest ago is removed. */
const MAX_NETWORKS = 10_000;

interface Bucket {
  left: number;
  at: number;
}

/**
 * How many failures each network has left: token buckets in this process's memory, bounded in number.
 * Successes are not counted, so that legitimate clients spend nothing.
 */
export class FailedAttempts {
  private readonly buckets = new Map<string, Bucket>();

  /**
   * @param limits `burst` failures at once; one more is granted every `refillMs` milliseconds.
   * @param now the monotonic clock, in milliseconds.
   */
  constructor(
    private readonly limits: { burst: number; refillMs: number },
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Counts one failure.
   *
   * @returns null if the network had a failure left; otherwise the seconds until the next one is granted, at
   *   least 1.
   */
  fail(network: string): number | null {
    const left = this.leftOf(network);
    const granted = left >= 1;
    // This puts the entry at the end of the map. The entry at the beginning is removed first.
    this.buckets.delete(network);
    this.buckets.set(network, { left: granted ? left - 1 : left, at: this.now() });
    const [oldest] = this.buckets.keys();
    if (this.buckets.size > MAX_NETWORKS && oldest !== undefined) this.buckets.delete(oldest);
    return granted ? null : Math.max(1, Math.ceil(((1 - left) * this.limits.refillMs) / 1_000));
  }

  get size(): number {
    return this.buckets.size;
  }

  private leftOf(network: string): number {
    const bucket = this.buckets.get(network);
    const { burst, refillMs } = this.limits;
    return bucket === undefined ? burst : Math.min(burst, bucket.left + (this.now() - bucket.at) / refillMs);
  }
}
