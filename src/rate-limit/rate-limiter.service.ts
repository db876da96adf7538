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

/** After Redis did not answer in time, it gets no requests for this long. */
const PAUSE_MS = 1_000;

type Scripted = Redis & {
  outdialTakeTokens(count: number, ...bucketsAndRate: (string | number)[]): Promise<number[]>;
};

/** What came of a request's token. */
export interface TakenToken {
  /** Tokens a second, which is what a bucket holds. */
  limit: number;
  /** Tokens left. */
  remaining: number;
  /** Milliseconds after which a request may pass; null: this one may. */
  waitMs: number | null;
}

/**
 * Tokens that a bucket still has. What is rounded away with each token of a second is less than the tenth of
 * one.
 */
function remainingOf(limit: number, fullInMs: number): number {
  return Math.max(0, Math.floor(limit - (fullInMs * limit) / 1_000 + 0.1));
}

/**
 * Requests a second per API key, counted in Redis for all API processes together. While Redis is slow or
 * away, each process counts in local buckets: calls are accepted without Redis, and the limit applies to each
 * process.
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
   * Takes one of the key's tokens. Only for known keys, because each has a bucket.
   *
   * @param keyHash SHA-256 of the API key.
   * @returns null where there is no limit.
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

  /** Milliseconds as {@link LocalBuckets.take} has them; null where Redis did not answer. */
  private async takeFromRedis(bucket: string): Promise<number | null> {
    if (this.redis.status === 'ready' && performance.now() >= this.pausedUntil) {
      const { index, answer } = this.batcher.add(bucket);
      const waits = await answer.catch(() => null);
      if (waits !== null) return (waits[index] ?? 0) / 1_000;
    }
    this.metrics.rateLimiterFailedOpen();
    return null;
  }

  /** Microseconds for each bucket, as of the script. */
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
        this.logger.warn(`Redis is not asked for ${PAUSE_MS} ms, this process uses local buckets: ${why}`);
      }
      this.pausedUntil = performance.now() + PAUSE_MS;
      throw error;
    }
  }

  /** Not what Postgres finds keys by, but a hash of that: a reader of Redis learns nothing of use. */
  private bucketOf(keyHash: Buffer): string {
    return `${this.config.redisPrefix}:tokens:${hash('sha256', keyHash, 'base64url')}`;
  }
}
