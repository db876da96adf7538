import { describeBody } from '../../http/body-schema.js';
import {
  COUNT_SCHEMA,
  described,
  FLAG_SCHEMA,
  INSTANT_SCHEMA,
  type JsonSchema,
  listOf,
  nullable,
  objectOf,
  oneOf,
  TEXT_SCHEMA,
  UUID_SCHEMA,
} from '../../http/json-schema.js';
import { errorDoc } from '../../http/openapi/errors.js';
import { documented, pageOfItems } from '../../http/openapi/operation.js';
import { EVENT_TYPES } from '../event-types.js';
import { MAX_ENDPOINTS, OVERLAP_HOURS } from './endpoints.sql.js';
import { REPLAY_WINDOW } from './deliveries.sql.js';
import { ReplayEvents, type ReplayedEvents } from './replay.dto.js';
import { TEST_EVENT } from './test-event.js';
import { WebhookDeliveriesController } from './webhook-deliveries.controller.js';
import { type WebhookDeliveryView } from './webhook-deliveries.service.js';
import { DELIVERY_STATES } from './webhook-delivery.entity.js';
import {
  CreateWebhookEndpoint,
  UpdateWebhookEndpoint,
  type WebhookEndpointView,
  type WebhookEndpointWithSecret,
} from './webhook-endpoint.dto.js';
import { WebhookEndpointsController } from './webhook-endpoints.controller.js';

describeBody([CreateWebhookEndpoint, UpdateWebhookEndpoint], {
  url: {
    description: 'Where events are sent: an `https://` URL that does not lead into a private network.',
    examples: ['https://example.com/outdial'],
  },
  types: {
    description: 'The types of events that it gets; null for all.',
    examples: [['call.ended', 'call.result']],
  },
  description: { description: 'A text of your own.', examples: ['CRM'] },
  disabled: 'A disabled endpoint gets no events. Enabling it sends the deliveries that were pending.',
});

describeBody([ReplayEvents], {
  after: { description: 'The events after this sequence are sent; 0: all that are kept.', examples: [4711] },
  until: { description: 'The last sequence; absent: the newest.', examples: [4720] },
});

const ENDPOINT: Record<keyof WebhookEndpointView, JsonSchema> = {
  id: UUID_SCHEMA,
  url: TEXT_SCHEMA,
  types: described(nullable(listOf(oneOf(EVENT_TYPES))), 'The types of events that it gets; null for all.'),
  description: nullable(TEXT_SCHEMA),
  disabled: FLAG_SCHEMA,
  disabledReason: described(
    nullable(oneOf(['team', 'gone', 'failing'])),
    'Why it is disabled: by the team, by its answer 410, or because all attempts of five days failed.',
  ),
  failingSince: described(nullable(INSTANT_SCHEMA), 'The first failed attempt since the last success.'),
  createdAt: INSTANT_SCHEMA,
};

const ENDPOINT_SCHEMA = objectOf<WebhookEndpointView>('WebhookEndpoint', ENDPOINT);

const WITH_SECRET = objectOf<WebhookEndpointWithSecret>('WebhookEndpointWithSecret', {
  ...ENDPOINT,
  secret: described(
    { type: 'string', pattern: '^whsec_' },
    'What its events are signed with; shown this once.',
  ),
});

const DELIVERY_SCHEMA = objectOf<WebhookDeliveryView>('WebhookDelivery', {
  id: UUID_SCHEMA,
  endpointId: UUID_SCHEMA,
  eventId: described(UUID_SCHEMA, 'The `id` of the event, and the `webhook-id` of its requests.'),
  sequence: described(COUNT_SCHEMA, 'Of the event; 0 for a test.'),
  type: described(oneOf([...EVENT_TYPES, TEST_EVENT]), 'Of the event.'),
  status: described(
    oneOf(DELIVERY_STATES),
    '`pending`: an attempt is due at `nextAttemptAt`, or under way. `failed`: Outdial makes no further attempt unless a request retries or replays it.',
  ),
  attempts: COUNT_SCHEMA,
  nextAttemptAt: described(nullable(INSTANT_SCHEMA), 'Null unless it is pending.'),
  lastAttemptAt: nullable(INSTANT_SCHEMA),
  responseCode: described(nullable(COUNT_SCHEMA), 'The status of the last answer.'),
  answer: described(nullable(TEXT_SCHEMA), 'The first 1,024 bytes of the last answer.'),
  error: described(
    nullable(TEXT_SCHEMA),
    'Why the last attempt had no answer: `timeout`, `unreachable`, `tls`, `reset`, `broken_answer`, `address_not_allowed`, ' +
      '`stopped`, `removed` or `internal`. `stopped`: the worker stopped. `removed`: the event is no longer kept.',
  ),
  durationMs: described(nullable(COUNT_SCHEMA), 'Of the last attempt.'),
  createdAt: INSTANT_SCHEMA,
});

const REPLAYED = objectOf<ReplayedEvents>('ReplayedEvents', {
  deliveries: described(COUNT_SCHEMA, 'Deliveries that are due now.'),
  nextAfter: described(
    nullable(COUNT_SCHEMA),
    `Where the next replay begins, after ${REPLAY_WINDOW} events; null: every event was looked at.`,
  ),
});

const DISABLED = errorDoc('The endpoint is disabled.', 'The webhook endpoint is disabled');

const ABOUT = { surface: 'team', tag: 'Webhooks' } as const;

export const WEBHOOK_ENDPOINTS_OPENAPI = documented(WebhookEndpointsController, ABOUT, {
  create: {
    id: 'createWebhookEndpoint',
    summary: 'Create a webhook endpoint',
    description:
      'Each event of the team is sent to it as a POST, signed by Standard Webhooks, at least once and in no promised order. Any 2xx ' +
      'accepts the event. Redirects are not followed.',
    success: { description: 'The endpoint with its secret.', schema: WITH_SECRET },
    refusals: {
      409: errorDoc(
        `The team has ${MAX_ENDPOINTS} endpoints.`,
        `The team has ${MAX_ENDPOINTS} webhook endpoints already`,
      ),
    },
  },
  list: {
    id: 'listWebhookEndpoints',
    summary: 'List the team’s webhook endpoints, the newest first',
    success: {
      description: 'A page of endpoints.',
      schema: pageOfItems(ENDPOINT_SCHEMA, 'WebhookEndpointPage'),
    },
  },
  get: {
    id: 'getWebhookEndpoint',
    summary: 'Read a webhook endpoint',
    success: { description: 'The endpoint.', schema: ENDPOINT_SCHEMA },
  },
  update: {
    id: 'updateWebhookEndpoint',
    summary: 'Change a webhook endpoint',
    success: { description: 'The endpoint, changed.', schema: ENDPOINT_SCHEMA },
  },
  remove: {
    id: 'deleteWebhookEndpoint',
    summary: 'Delete a webhook endpoint with its deliveries',
    success: { description: 'The endpoint is deleted.' },
  },
  rotateSecret: {
    id: 'rotateWebhookSecret',
    summary: 'Make a new secret for a webhook endpoint',
    description: `For ${OVERLAP_HOURS} hours the previous secret signs as well: \`webhook-signature\` then has two signatures with a space between them.`,
    success: { description: 'The endpoint with its new secret.', schema: WITH_SECRET },
  },
  test: {
    id: 'testWebhookEndpoint',
    summary: 'Send a test event to a webhook endpoint',
    description:
      `The event has the type \`${TEST_EVENT}\`, the sequence 0, and the endpoint as its \`data\`. The answer comes after its first ` +
      'attempt, or after 1.5 seconds with a delivery that is pending.',
    success: { description: 'The delivery of the test.', schema: DELIVERY_SCHEMA },
    refusals: { 409: DISABLED },
  },
  listDeliveries: {
    id: 'listWebhookDeliveries',
    summary: 'List the deliveries of a webhook endpoint, those of the newest events first',
    query: {
      status: { description: 'Only deliveries in this state.', schema: oneOf(DELIVERY_STATES) },
    },
    success: {
      description: 'A page of deliveries.',
      schema: pageOfItems(DELIVERY_SCHEMA, 'WebhookDeliveryPage'),
    },
  },
  replay: {
    id: 'replayWebhookEvents',
    summary: 'Send kept events to a webhook endpoint again',
    description:
      'Also those from before the endpoint was created or while it was disabled. Events are kept for 7 days by default.',
    success: { description: 'The deliveries are due.', schema: REPLAYED },
    refusals: { 409: DISABLED },
  },
});

export const WEBHOOK_DELIVERIES_OPENAPI = documented(WebhookDeliveriesController, ABOUT, {
  get: {
    id: 'getWebhookDelivery',
    summary: 'Read the delivery of an event',
    success: { description: 'The delivery.', schema: DELIVERY_SCHEMA },
  },
  retry: {
    id: 'retryWebhookDelivery',
    summary: 'Send a delivery again at once, in any status',
    success: { description: 'The delivery, pending.', schema: DELIVERY_SCHEMA },
    refusals: { 409: DISABLED },
  },
});
