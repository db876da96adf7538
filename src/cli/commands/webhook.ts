import { type Command } from '../command.js';
import { operationCommand } from '../operation-command.js';

export const WEBHOOK_COMMANDS: readonly Command[] = [
  operationCommand({
    name: 'webhook list',
    operation: 'listWebhookEndpoints',
    columns: ['id', 'url', 'types', 'disabled', 'description'],
  }),
  operationCommand({
    name: 'webhook deliveries',
    operation: 'listWebhookDeliveries',
    args: { endpoint: 'id' },
    columns: ['id', 'type', 'status', 'attempts', 'lastAttemptAt', 'responseCode'],
  }),
  operationCommand({
    name: 'webhook retry',
    operation: 'retryWebhookDelivery',
    summary: 'Send a delivery again; a running worker sends it within seconds',
    args: { delivery: 'id' },
  }),
];
