import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type ConnectionOptions } from 'bullmq';
import { type Cluster } from 'ioredis';
import { Config } from '../config/config.js';
import { connectCluster, CONSUMER_OPTIONS } from './connect-redis.js';
import { redisOptionsOf } from './redis-options.js';

/**
 * The worker's connection to Redis for taking jobs. BullMQ opens and closes its own connections to a single
 * Redis. For a cluster, BullMQ gets an open connection and does not close it.
 */
@Injectable()
export class WorkerConnection implements OnApplicationShutdown {
  readonly connection: ConnectionOptions;
  private readonly cluster: Cluster | undefined;

  constructor(config: Config) {
    if (!config.redisCluster) {
      this.connection = { ...redisOptionsOf(config.redisUrl), ...CONSUMER_OPTIONS };
      return;
    }
    this.cluster = connectCluster(config, CONSUMER_OPTIONS);
    // The worker logs the errors of its connections. Without this listener, ioredis would print the errors as
    // well.
    this.cluster.on('error', () => undefined);
    this.connection = this.cluster;
  }

  onApplicationShutdown(): void {
    this.cluster?.disconnect();
  }
}
