import { Inject, Injectable } from '@nestjs/common';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { Config } from '../config/config.js';
import { PACED_CARRIERS } from '../config/paced-carriers.js';
import { type DialQueue, pacedQueue } from './call-jobs.js';

/**
 * The queues of the carriers with a calls-per-second limit, for adding jobs. `RedisModule` closes their
 * connection.
 */
@Injectable()
export class PacedQueues {
  private readonly byCarrier = new Map<string, DialQueue>();

  constructor(
    private readonly redis: Redis,
    private readonly config: Config,
    @Inject(PACED_CARRIERS) carriers: readonly string[],
  ) {
    for (const carrier of carriers) this.get(carrier);
  }

  all(): DialQueue[] {
    return [...this.byCarrier.values()];
  }

  get(carrier: string): DialQueue {
    const known = this.byCarrier.get(carrier);
    if (known !== undefined) return known;
    const queue: DialQueue = new Queue(pacedQueue(carrier), {
      connection: this.redis,
      prefix: this.config.redisPrefix,
      skipMetasUpdate: true,
      skipVersionCheck: true,
    });
    queue.on('error', () => undefined);
    this.byCarrier.set(carrier, queue);
    return queue;
  }
}
