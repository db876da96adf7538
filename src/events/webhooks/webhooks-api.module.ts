import { Module } from '@nestjs/common';
import { QueueModule } from '../../queue/queue.module.js';
import { WebhookDeliveriesController } from './webhook-deliveries.controller.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';
import { WebhookEndpointsController } from './webhook-endpoints.controller.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';

/**
 * The webhook endpoints of a team and their deliveries, for requests with the team's API key. In come changes
 * of endpoints, and requests to send events again; out go due deliveries and wake-ups. Tables:
 * `webhook_endpoints`, `webhook_deliveries`. Only the API process imports it.
 */
@Module({
  imports: [QueueModule],
  providers: [WebhookEndpointsService, WebhookDeliveriesService],
  controllers: [WebhookEndpointsController, WebhookDeliveriesController],
  exports: [WebhookEndpointsService, WebhookDeliveriesService],
})
export class WebhooksApiModule {}
