import { Global, Inject, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { Config } from '../config/config.js';
import { connectProducer } from './connect-redis.js';

/** The connection that adds jobs. In comes the configuration; out goes a client of Redis. No tables. */
@Global()
@Module({
  providers: [
    {
      provide: Redis,
      inject: [Config],
      useFactory: (config: Config) => {
        const logger = new Logger('Redis');
        const redis = connectProducer(config);
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
