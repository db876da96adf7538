import {
  type DeliveryFilter,
  WebhookDeliveriesService,
} from '../../events/webhooks/webhook-deliveries.service.js';
import { WebhookEndpointsService } from '../../events/webhooks/webhook-endpoints.service.js';
import { type Command, pageOutput, record } from '../command.js';

export const WEBHOOK_COMMANDS: readonly Command[] = [
  {
    name: 'webhook list',
    summary: 'List the webhook endpoints, the newest first',
    team: true,
    paged: true,
    run: async ({ service, teamId, page }) => {
      const endpoints = await service(WebhookEndpointsService).list(teamId, page());
      return pageOutput(endpoints, 'id', 'url', 'types', 'disabled', 'description');
    },
  },
  {
    name: 'webhook deliveries',
    summary: 'List the deliveries to a webhook endpoint, those of the newest events first',
    args: ['endpoint'],
    team: true,
    paged: true,
    filters: { status: { value: '<status>', help: 'such as failed or pending' } },
    run: async ({ service, teamId, arg, page }) => {
      const deliveries = service(WebhookDeliveriesService);
      const listed = await deliveries.list(teamId, arg('endpoint'), page<DeliveryFilter>());
      return pageOutput(listed, 'id', 'type', 'status', 'attempts', 'lastAttemptAt', 'responseCode');
    },
  },
  {
    name: 'webhook retry',
    summary: 'Send a delivery again; a running worker sends it within seconds',
    args: ['delivery'],
    team: true,
    options: { force: { help: 'send it even if the event was delivered meanwhile' } },
    run: async ({ service, teamId, arg, flag }) =>
      record(await service(WebhookDeliveriesService).retry(teamId, arg('delivery'), flag('force'))),
  },
];
