import { Injectable } from '@nestjs/common';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { Config } from '../config/config.js';
import { WEBHOOK_JOB_OPTIONS, webhookJobId, type WebhookJobQueue, WEBHOOKS_QUEUE } from './call-jobs.js';
import { type WebhookWakeUp, WebhookWakeUps } from './wake-ups.js';

/** Keeps {@link WebhookWakeUps} in Redis, as jobs of BullMQ. */
@Injectable()
export class WebhookQueue extends WebhookWakeUps {
  private readonly queue: WebhookJobQueue;

  constructor(
    private readonly redis: Redis,
    config: Config,
  ) {
    super();
    this.queue = new Queue(WEBHOOKS_QUEUE, {
      connection: redis,
      prefix: config.redisPrefix,
      skipMetasUpdate: true,
      skipVersionCheck: true,
    });
    // The connection logs its own errors.
    this.queue.on('error', () => undefined);
  }

  wake(wakeUps: WebhookWakeUp[]): void {
    if (wakeUps.length === 0 || this.redis.status !== 'ready') return;
    const jobs = wakeUps.map((data) => ({
      name: 'deliver' as const,
      data,
      opts: { ...WEBHOOK_JOB_OPTIONS, jobId: webhookJobId(data) },
    }));
    this.queue.addBulk(jobs).catch(() => undefined);
  }
}
