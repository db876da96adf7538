import { EventBatch } from './outbox/event-batch.entity.js';
import { EventGap } from './outbox/event-gap.entity.js';
import { EventSequence } from './outbox/event-sequence.entity.js';
import { Event } from './outbox/event.entity.js';
import { WebhookDelivery } from './webhooks/webhook-delivery.entity.js';
import { WebhookEndpoint } from './webhooks/webhook-endpoint.entity.js';

/** The tables of this folder, for the data source that the root composes. */
export const EVENT_ENTITIES = [Event, EventBatch, EventGap, EventSequence, WebhookDelivery, WebhookEndpoint];
