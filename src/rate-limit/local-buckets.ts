/** Keys in memory at most; beyond it, the key that was used the longest ago is removed. */
const MAX_KEYS = 10_000;

const SECOND_MS = 1_000;

/** Token buckets for one second of requests, as in Redis, but only in the memory of this process. */
export class LocalBuckets {
  /** The instant at which each bucket will be full again. */
  private readonly fullAt = new Map<string, number>();

  /** @param now the monotonic clock, in milliseconds. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * @returns the milliseconds until there is a token, or, when one was taken, minus those until the bucket is
   *   full again.
   */
  take(bucket: string, tokensPerSecond: number): number {
    const now = this.now();
    const token = SECOND_MS / tokensPerSecond;
    const nextFullAt = Math.max(this.fullAt.get(bucket) ?? now, now) + token;
    const wait = nextFullAt - now - SECOND_MS;
    // Half a token for what was rounded away with those before it.
    if (wait > token / 2) return wait;
    // To the end of the map: the entry at its beginning is dropped first.
    this.fullAt.delete(bucket);
    this.fullAt.set(bucket, nextFullAt);
    const [oldest] = this.fullAt.keys();
    if (this.fullAt.size > MAX_KEYS && oldest !== undefined) this.fullAt.delete(oldest);
    return now - nextFullAt;
  }

  get size(): number {
    return this.fullAt.size;
  }
}
