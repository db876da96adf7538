import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type Job, Worker } from 'bullmq';
import { Config } from '../../../config/config.js';
import { abandon } from '../../../queue/bullmq-internals.js';
import { WEBHOOKS_QUEUE } from '../../../queue/call-jobs.js';
import { JobLoops } from '../../../queue/job-loops.js';
import { WorkerConnection } from '../../../queue/worker-connection.js';
import { type WebhookWakeUp } from '../../../queue/wake-ups.js';
import { DeliveryService } from './delivery.service.js';

/**
 * The most wake-ups that one worker processes at a time. Each lasts only as long as its round trips to Redis.
 */
const CONCURRENCY = 10;

/** How long closing may take, in milliseconds. Closing needs Redis. */
const CLOSE_MS = 2_000;

/**
 * Processes the wake-ups of endpoints. An endpoint is woken only when its job has left the queue. A delivery
 * that is created later can then add another job, so its wake-up is not lost.
 */
@Injectable()
export class WakeUpProcessor implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(WakeUpProcessor.name);
  private worker: Worker<WebhookWakeUp, void> | undefined;

  constructor(
    private readonly deliveries: DeliveryService,
    private readonly config: Config,
    private readonly redis: WorkerConnection,
    private readonly loops: JobLoops,
  ) {}

  onApplicationBootstrap(): void {
    const worker = new Worker<WebhookWakeUp, void>(WEBHOOKS_QUEUE, () => Promise.resolve(), {
      autorun: false,
      maxStalledCount: 1,
      runRetryDelay: 1_000,
      concurrency: CONCURRENCY,
      connection: this.redis.connection,
      prefix: this.config.redisPrefix,
    });
    this.worker = worker;
    worker.on('error', (error) => this.logger.warn(`queue: ${error.message}`));
    worker.on('completed', ({ data }: Job<WebhookWakeUp>) =>
      this.deliveries.wake(data.endpointId, data.teamId),
    );
    this.loops.keep(worker);
  }

  async onModuleDestroy(): Promise<void> {
    const { worker } = this;
    if (worker === undefined) return;
    const late = new Promise<'late'>((resolve) => setTimeout(resolve, CLOSE_MS, 'late').unref());
    if ((await Promise.race([worker.close(), late])) === 'late') abandon(worker);
  }
}
