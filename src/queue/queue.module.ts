import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { Redis } from 'ioredis';
import { Config } from '../config/config.js';
import { CALLS_QUEUE } from './call-jobs.js';
import { CALL_PRODUCER, CallQueue } from './call-queue.js';
import { JobLoops } from './job-loops.js';
import { PacedQueues } from './paced-queues.js';
import { RedisModule } from './redis.module.js';
import { WebhookWakeUps } from './wake-ups.js';
import { WebhookQueue } from './webhook-queue.js';

/**
 * Wake-ups, in both processes. In come calls that are due now or later, and webhook endpoints with due
 * deliveries; out go jobs in Redis, which the worker takes. No tables: every job can be rebuilt from rows in
 * Postgres.
 */
@Module({
  imports: [
    RedisModule,
    BullModule.registerQueueAsync({
      name: CALL_PRODUCER,
      imports: [RedisModule],
      inject: [Redis, Config],
      useFactory: (redis: Redis, config: Config) => ({
        name: CALLS_QUEUE,
        connection: redis,
        prefix: config.redisPrefix,
        skipMetasUpdate: true,
        // BullMQ checks the version of Redis once. If that check timed out, the queue could add no job. The
        // worker checks the version.
        skipVersionCheck: true,
      }),
    }),
  ],
  providers: [CallQueue, PacedQueues, { provide: WebhookWakeUps, useClass: WebhookQueue }, JobLoops],
  exports: [CallQueue, WebhookWakeUps, JobLoops, BullModule],
})
export class QueueModule {}
