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
    description:
      'The URL to which events are sent. It must be an `https://` URL of a public host, without user name and password. ' +
      'Only a deployment with `WEBHOOKS_ALLOW_PRIVATE` allows `http://` and hosts in private networks.',
    examples: ['https://example.com/outdial'],
  },
  types: {
    description: 'The event types that the endpoint receives. Null: all types.',
    examples: [['call.ended', 'call.result']],
  },
  description: { description: 'Free text that is stored with the endpoint.', examples: ['CRM'] },
  disabled:
    'A disabled endpoint receives no events, and no deliveries are created for it. When it is enabled, its ' +
    'pending deliveries are sent. A new endpoint is enabled by default.',
});

describeBody([ReplayEvents], {
  after: {
    description:
      'The replay begins after the event with this `sequence`. 0 begins with the oldest stored event.',
    examples: [4711],
  },
  until: {
    description:
      'The replay ends with the event with this `sequence`. By default, it ends with the newest event.',
    examples: [4720],
  },
});

const ENDPOINT: Record<keyof WebhookEndpointView, JsonSchema> = {
  id: UUID_SCHEMA,
  url: TEXT_SCHEMA,
  types: described(
    nullable(listOf(oneOf(EVENT_TYPES))),
    'The event types that the endpoint receives. Null: all types.',
  ),
  description: nullable(TEXT_SCHEMA),
  disabled: FLAG_SCHEMA,
  disabledReason: described(
    nullable(oneOf(['team', 'gone', 'failing'])),
    'Why the endpoint is disabled. `team`: a request of the team disabled it. `gone`: the endpoint answered 410. ' +
      '`failing`: all attempts failed for five days. Null while it is enabled.',
  ),
  failingSince: described(
    nullable(INSTANT_SCHEMA),
    'The instant of the first failed attempt after the last successful one. Null if no attempt has failed since. ' +
      'A new URL or enabling the endpoint resets it to null.',
  ),
  createdAt: INSTANT_SCHEMA,
};

const ENDPOINT_SCHEMA = objectOf<WebhookEndpointView>('WebhookEndpoint', ENDPOINT);

const WITH_SECRET = objectOf<WebhookEndpointWithSecret>('WebhookEndpointWithSecret', {
  ...ENDPOINT,
  secret: described(
    { type: 'string', pattern: '^whsec_' },
    'The secret with which requests to the endpoint are signed. Only this answer shows it.',
  ),
});

const DELIVERY_SCHEMA = objectOf<WebhookDeliveryView>('WebhookDelivery', {
  id: UUID_SCHEMA,
  endpointId: UUID_SCHEMA,
  eventId: described(
    UUID_SCHEMA,
    'The `id` of the event. The header `webhook-id` of its requests has the same value.',
  ),
  sequence: described(COUNT_SCHEMA, 'The `sequence` of the event. 0 for a test event.'),
  type: described(oneOf([...EVENT_TYPES, TEST_EVENT]), 'The type of the event.'),
  status: described(
    oneOf(DELIVERY_STATES),
    '`pending`: the next attempt is due at `nextAttemptAt`, or an attempt is in progress. `delivered`: an attempt got a 2xx answer. ' +
      '`failed`: no further attempt is made unless a request retries or replays the delivery.',
  ),
  attempts: described(COUNT_SCHEMA, 'The number of attempts that have begun.'),
  nextAttemptAt: described(
    nullable(INSTANT_SCHEMA),
    'When the next attempt is due. Null unless the status is `pending`.',
  ),
  lastAttemptAt: described(
    nullable(INSTANT_SCHEMA),
    'When the last attempt began. Null before the first attempt.',
  ),
  responseCode: described(
    nullable(COUNT_SCHEMA),
    'The HTTP status code that the last finished attempt received. Null if it received no answer, and until an attempt has finished.',
  ),
  answer: described(
    nullable(TEXT_SCHEMA),
    'The first 1,024 bytes of the body that the last finished attempt received. Null if no body is stored.',
  ),
  error: described(
    nullable(TEXT_SCHEMA),
    'Why the last finished attempt received no answer. Null if it received one, and until an attempt has finished. `timeout`: there was no answer in time. ' +
      '`unreachable`: the connection failed. `tls`: the TLS connection failed. `reset`: the connection was closed. ' +
      '`broken_answer`: the answer was not valid HTTP. `address_not_allowed`: the URL leads to a forbidden address. ' +
      '`stopped`: the worker stopped. `removed`: the event is no longer stored. `internal`: Outdial had an internal error.',
  ),
  durationMs: described(
    nullable(COUNT_SCHEMA),
    'The duration of the last finished attempt, in milliseconds. Null until an attempt has finished.',
  ),
  createdAt: INSTANT_SCHEMA,
});

const REPLAYED = objectOf<ReplayedEvents>('ReplayedEvents', {
  deliveries: described(COUNT_SCHEMA, 'The number of deliveries that the replay made due.'),
  nextAfter: described(
    nullable(COUNT_SCHEMA),
    `A replay examines at most ${REPLAY_WINDOW} events, and as many as it can within 5 seconds. If it stopped before the end, send this value as the \`after\` of the next replay. ` +
      'Null: all requested events were examined.',
  ),
});

const DISABLED = errorDoc('The endpoint is disabled.', 'The webhook endpoint is disabled');

const ABOUT = { surface: 'team', tag: 'Webhooks' } as const;

export const WEBHOOK_ENDPOINTS_OPENAPI = documented(WebhookEndpointsController, ABOUT, {
  create: {
    id: 'createWebhookEndpoint',
    summary: 'Create a webhook endpoint',
    description:
      'Each event of the team is sent to the endpoint as a POST request, signed as Standard Webhooks specifies. Each event is sent at ' +
      'least once. The order of events is not guaranteed. Any 2xx status accepts the event. Redirects are not followed.',
    success: { description: 'The endpoint with its secret.', schema: WITH_SECRET },
    refusals: {
      409: errorDoc(
        `The team already has ${MAX_ENDPOINTS} endpoints, which is the maximum.`,
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
    success: { description: 'The changed endpoint.', schema: ENDPOINT_SCHEMA },
  },
  remove: {
    id: 'deleteWebhookEndpoint',
    summary: 'Delete a webhook endpoint with its deliveries',
    success: { description: 'The endpoint is deleted.' },
  },
  rotateSecret: {
    id: 'rotateWebhookSecret',
    summary: 'Rotate the secret of a webhook endpoint',
    description:
      `For ${OVERLAP_HOURS} hours, requests are signed with the previous secret, too. ` +
      'The header `webhook-signature` then has two signatures, separated by a space.',
    success: { description: 'The endpoint with its new secret.', schema: WITH_SECRET },
  },
  test: {
    id: 'testWebhookEndpoint',
    summary: 'Send a test event to a webhook endpoint',
    description:
      `The event has the type \`${TEST_EVENT}\` and the \`sequence\` 0. Its \`data\` is the endpoint. ` +
      'It is sent whatever the `types` of the endpoint are. The request returns after the first attempt. ' +
      'If the attempt lasts longer than 1.5 seconds, the request returns the pending delivery.',
    success: { description: 'The delivery of the test event.', schema: DELIVERY_SCHEMA },
    refusals: { 409: DISABLED },
  },
  listDeliveries: {
    id: 'listWebhookDeliveries',
    summary: 'List the deliveries of a webhook endpoint, the newest event first',
    success: {
      description: 'A page of deliveries.',
      schema: pageOfItems(DELIVERY_SCHEMA, 'WebhookDeliveryPage'),
    },
  },
  replay: {
    id: 'replayWebhookEvents',
    summary: 'Send stored events to a webhook endpoint again',
    description:
      'A replay sends the stored events of the types that the endpoint receives. They include events from before the endpoint was ' +
      'created and events from while it was disabled. Events are stored for 7 days by default.',
    success: { description: 'The deliveries are due now.', schema: REPLAYED },
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
    summary: 'Retry a delivery at once',
    description:
      'A delivery with the status `pending` or `failed` becomes due now. A delivery that was `delivered` meanwhile is returned as ' +
      'it is, and its event is not sent again. With `force`, its event is sent again.',
    query: {
      force: {
        description: 'Whether to send the event again also if it was delivered. False by default.',
        schema: FLAG_SCHEMA,
      },
    },
    success: {
      description:
        'The delivery. It is due now, an attempt is already in progress, or it was delivered before.',
      schema: DELIVERY_SCHEMA,
    },
    refusals: {
      400: errorDoc('`force` is neither `true` nor `false`.', 'force must be true or false'),
      409: DISABLED,
      413: errorDoc('The body is too large.', 'The body must be at most 256 KB'),
      415: errorDoc('The body has a `Content-Encoding`.', 'The body must have no Content-Encoding'),
    },
  },
});
