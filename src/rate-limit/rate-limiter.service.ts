import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { Config } from '../config/config.js';
import { Gatherer } from '../queue/gatherer.js';
import { hashApiKey } from '../teams/api-key.js';
import { Metrics } from '../telemetry/metrics.js';
import { TAKE_TOKENS } from './token-bucket.lua.js';

/** A request waits no longer than this for a judgement. */
const JUDGE_WITHIN_MS = 75;

/** After Redis failed to judge in time, requests pass unasked for this long. */
const PAUSE_MS = 1_000;

const UNJUDGED = Symbol('unjudged');

type Scripted = Redis & {
  outdialTakeTokens(count: number, ...bucketsAndRate: (string | number)[]): Promise<number[]>;
};

/**
 * Requests a second per API key, counted in Redis for all API processes together. A Redis that is slow or away refuses
 * nobody: calls are accepted without it, and the limit protects rather than meters.
 */
@Injectable()
export class RateLimiterService {
  private readonly logger = new Logger('RateLimit');
  private readonly redis: Scripted;
  private pausedUntil = 0;
  private readonly gatherer = new Gatherer<string, number[]>((buckets) =>
    this.redis.outdialTakeTokens(buckets.length, ...buckets, this.config.apiRateLimit),
  );

  constructor(
    redis: Redis,
    private readonly config: Config,
    private readonly metrics: Metrics,
  ) {
    redis.defineCommand('outdialTakeTokens', { lua: TAKE_TOKENS });
    this.redis = redis as Scripted;
  }

  /**
   * Takes one of the key's tokens, known to us or not.
   *
   * @returns null if the request may pass, else the milliseconds after which one may.
   */
  async take(apiKey: string): Promise<number | null> {
    if (this.config.apiRateLimit === 0) return null;
    const wait = await this.judge(this.bucketOf(apiKey));
    if (wait === UNJUDGED) {
      this.metrics.rateLimiterFailedOpen();
      return null;
    }
    if (wait === 0) return null;
    this.metrics.requestRateLimited();
    return wait / 1_000;
  }

  private async judge(bucket: string): Promise<number | typeof UNJUDGED> {
    const asked = performance.now();
    if (this.redis.status !== 'ready' || asked < this.pausedUntil) return UNJUDGED;
    try {
      return await within(JUDGE_WITHIN_MS, this.waitOf(bucket));
    } catch (error) {
      if (this.pausedUntil <= asked) {
        this.logger.warn(
          `not judged for ${PAUSE_MS} ms: ${error instanceof Error ? error.message : 'failed'}`,
        );
      }
      this.pausedUntil = performance.now() + PAUSE_MS;
      return UNJUDGED;
    }
  }

  /** Microseconds. */
  private async waitOf(bucket: string): Promise<number> {
    const { place, answer } = this.gatherer.add(bucket);
    return (await answer)[place] ?? 0;
  }

  /** Not what Postgres finds keys by, but a hash of that: whoever reads Redis learns nothing of use. */
  private bucketOf(apiKey: string): string {
    const name = createHash('sha256').update(hashApiKey(apiKey)).digest('base64url');
    return `${this.config.redisPrefix}:tokens:${name}`;
  }
}

/** @throws Error when the time is over, or what `answer` throws. */
async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    // Past the timer one more look at the sockets: after a busy moment the answer may be there, unread.
    timer = setTimeout(() => setImmediate(() => reject(new Error(`Redis did not answer in ${ms} ms`))), ms);
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
    // It may still fail when nobody waits for it any more.
    answer.catch(() => undefined);
  }
}
