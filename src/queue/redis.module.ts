import { Global, Inject, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { Config } from '../config/config.js';
import './socket-timeout.js';

/**
 * Redis for those who add jobs: a command fails at once while Redis is away instead of waiting in memory, and takes
 * bounded time when it is slow.
 */
@Global()
@Module({
  providers: [
    {
      provide: Redis,
      inject: [Config],
      useFactory: (config: Config) => {
        const logger = new Logger('Redis');
        const redis = new Redis(config.redisUrl, {
          enableOfflineQueue: false,
          maxRetriesPerRequest: 1,
          commandTimeout: 2_000,
          connectTimeout: 3_000,
          // A connection that went away without a word, as through a router that forgot it, is replaced.
          socketTimeout: 3_000,
          retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, 1_000),
        });
        redis.on('error', (error) => logger.warn(`Redis: ${error.message}`));
        redis.on('ready', () => logger.log('Redis: connected'));
        return redis;
      },
    },
  ],
  exports: [Redis],
})
export class RedisModule implements OnApplicationShutdown {
  constructor(@Inject(Redis) private readonly redis: Redis) {}

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }
}
