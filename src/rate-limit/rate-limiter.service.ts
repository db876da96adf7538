import { hash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { Config } from '../config/config.js';
import { CommandBatcher } from '../queue/command-batcher.js';
import { Metrics } from '../telemetry/metrics.js';
import { LocalBuckets } from './local-buckets.js';
import { TAKE_TOKENS } from './token-bucket.lua.js';
import { withinIterations } from './within-iterations.js';

/** The longest wait of a request for Redis. */
const ANSWER_WITHIN_MS = 75;

/** How long Redis gets no requests after it failed or did not answer in time. */
const PAUSE_MS = 1_000;

type Scripted = Redis & {
  outdialTakeTokens(count: number, ...bucketsAndRate: (string | number)[]): Promise<number[]>;
};

/** The result of taking a token for a request. */
export interface TakenToken {
  /** Tokens a second, which is also the capacity of a bucket. */
  limit: number;
  /** Tokens left. */
  remaining: number;
  /** Milliseconds until a request may pass; null: this request may pass. */
  waitMs: number | null;
}

/**
 * The number of tokens that a bucket still has. The rounding errors of all tokens of a second are less than a
 * tenth of a token.
 */
function remainingOf(limit: number, fullInMs: number): number {
  return Math.max(0, Math.floor(limit - (fullInMs * limit) / 1_000 + 0.1));
}

/**
 * Limits the requests a second of each API key, counted in Redis for all API processes together. Calls are
 * also accepted without Redis. While Redis is slow or unavailable, each process counts in local buckets, and
 * the limit applies to each process separately.
 */
@Injectable()
export class RateLimiterService {
  private readonly logger = new Logger('RateLimit');
  private readonly redis: Scripted;
  private readonly local = new LocalBuckets();
  private pausedUntil = 0;
  private readonly batcher = new CommandBatcher<string, number[]>((buckets) => this.askRedis(buckets));

  constructor(
    redis: Redis,
    private readonly config: Config,
    private readonly metrics: Metrics,
  ) {
    redis.defineCommand('outdialTakeTokens', { lua: TAKE_TOKENS });
    this.redis = redis as Scripted;
  }

  /**
   * Takes one of the key's tokens. Must be called only for known keys, because each key gets a bucket.
   *
   * @param keyHash SHA-256 of the API key.
   * @returns null if the deployment has no limit.
   */
  async take(keyHash: Buffer): Promise<TakenToken | null> {
    const { apiRateLimit: limit } = this.config;
    if (limit === 0) return null;
    const bucket = this.bucketOf(keyHash);
    const waitMs = (await this.takeFromRedis(bucket)) ?? this.local.take(bucket, limit);
    if (waitMs <= 0) return { limit, remaining: remainingOf(limit, -waitMs), waitMs: null };
    this.metrics.requestRateLimited();
    return { limit, remaining: 0, waitMs };
  }

  /** Milliseconds as {@link LocalBuckets.take} returns them; null if Redis did not answer. */
  private async takeFromRedis(bucket: string): Promise<number | null> {
    if (this.redis.status === 'ready' && performance.now() >= this.pausedUntil) {
      const { index, answer } = this.batcher.add(bucket);
      const waits = await answer.catch(() => null);
      if (waits !== null) return (waits[index] ?? 0) / 1_000;
    }
    this.metrics.rateLimiterFailedOpen();
    return null;
  }

  /** Returns the script's result: microseconds for each bucket. */
  private async askRedis(buckets: string[]): Promise<number[]> {
    const asked = performance.now();
    try {
      return await withinIterations(
        ANSWER_WITHIN_MS,
        this.redis.outdialTakeTokens(buckets.length, ...buckets, this.config.apiRateLimit),
      );
    } catch (error) {
      if (this.pausedUntil <= asked) {
        const why = error instanceof Error ? error.message : 'failed';
        this.logger.warn(`Redis gets no requests for ${PAUSE_MS} ms; local buckets are used: ${why}`);
      }
      this.pausedUntil = performance.now() + PAUSE_MS;
      throw error;
    }
  }

  /**
   * The key in Redis is a hash of the hash by which Postgres finds an API key. So a reader of Redis does not
   * learn the stored hash.
   */
  private bucketOf(keyHash: Buffer): string {
    return `${this.config.redisPrefix}:tokens:${hash('sha256', keyHash, 'base64url')}`;
  }
}
