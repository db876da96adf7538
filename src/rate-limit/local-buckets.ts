/**
 * The largest number of keys in memory. Beyond this number, the key that took its last token the longest ago
 * is removed.
 */
const MAX_KEYS = 10_000;

const SECOND_MS = 1_000;

/** Token buckets for one second of requests, as in Redis, but only in the memory of this process. */
export class LocalBuckets {
  /** The instant at which each bucket will be full again. */
  private readonly fullAt = new Map<string, number>();

  /** @param now the monotonic clock, in milliseconds. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * @returns the milliseconds until there is a token. If a token was taken, minus the milliseconds until the
   *   bucket is full again.
   */
  take(bucket: string, tokensPerSecond: number): number {
    const now = this.now();
    const token = SECOND_MS / tokensPerSecond;
    const nextFullAt = Math.max(this.fullAt.get(bucket) ?? now, now) + token;
    const wait = nextFullAt - now - SECOND_MS;
    // Half a token allows for the rounding errors of the tokens before.
    if (wait > token / 2) return wait;
    // Moves the bucket to the end of the map, because the entry at the beginning is removed first.
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
