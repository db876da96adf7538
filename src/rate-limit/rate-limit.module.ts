import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { RedisModule } from '../queue/redis.module.js';
import { RateLimitGuard } from './rate-limit.guard.js';
import { RateLimiterService } from './rate-limiter.service.js';

/**
 * Applies the API rate limit before every controller. In come requests; out go 429s. The token buckets are in
 * Redis; no tables. Only the API process imports it.
 */
@Module({
  imports: [RedisModule],
  providers: [RateLimiterService, { provide: APP_GUARD, useClass: RateLimitGuard }],
})
export class RateLimitModule {}
