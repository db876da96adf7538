import { Module } from '@nestjs/common';
import { QueueModule } from '../../queue/queue.module.js';
import { WorkerRedisModule } from '../../queue/worker-redis.module.js';
import { DeliveryService } from './delivery/delivery.service.js';
import { DueDeliveries } from './delivery/due-deliveries.service.js';
import { WakeUpProcessor } from './delivery/wake-up.processor.js';

/**
 * Delivers events to webhook endpoints, in the worker process only. In come wake-ups and due deliveries; out
 * go signed requests and their results. Tables: `webhook_deliveries`, and the columns of `webhook_endpoints`
 * about failures, holds and disabling.
 */
@Module({
  imports: [QueueModule, WorkerRedisModule],
  providers: [DeliveryService, DueDeliveries, WakeUpProcessor],
  exports: [DeliveryService, DueDeliveries],
})
export class WebhooksModule {}
