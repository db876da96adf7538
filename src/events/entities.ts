import { EventSequence } from './outbox/event-sequence.entity.js';
import { Event } from './outbox/event.entity.js';
import { WebhookDelivery } from './webhooks/webhook-delivery.entity.js';
import { WebhookEndpoint } from './webhooks/webhook-endpoint.entity.js';

/** The tables of this folder, for the data source that the root composes. */
export const EVENT_ENTITIES = [Event, EventSequence, WebhookDelivery, WebhookEndpoint];
