import { MAX_BODY_BYTES } from '../../http/request-body.js';
import { FLAG_SCHEMA, type JsonSchema } from '../../http/json-schema.js';
import { errorDoc } from '../../http/openapi/errors.js';
import { type CallbackRoute } from '../callbacks.js';
import { WEBHOOK_CONTENT_TYPE } from './livekit-webhooks.js';

const TEXT: JsonSchema = { type: 'string' };

/** The fields of LiveKit's `WebhookEvent` that Outdial reads, in the JSON format of protocol buffers. */
const EVENT: JsonSchema = {
  title: 'LiveKitWebhook',
  description: 'LiveKit’s `WebhookEvent`; other fields are ignored.',
  type: 'object',
  properties: {
    event: {
      type: 'string',
      description:
        'The kind of event. Kinds other than `participant_joined`, `participant_left`, `participant_connection_aborted` and `room_finished` are ignored.',
    },
    room: {
      type: 'object',
      properties: {
        name: {
          type: 'string',
          description: 'The name of the room, `call-<callRequestId>-<n>`. Other rooms are ignored.',
        },
        metadata: TEXT,
      },
      additionalProperties: true,
    },
    participant: {
      type: 'object',
      properties: {
        identity: {
          type: 'string',
          description: 'The callee, `phone-<callRequestId>`. Other participants are ignored.',
        },
        attributes: { type: 'object', additionalProperties: TEXT },
        disconnectReason: { type: ['string', 'integer'] },
      },
      additionalProperties: true,
    },
    createdAt: {
      type: ['string', 'integer'],
      description: 'The time of the event, in seconds since 1970-01-01 UTC.',
    },
  },
  additionalProperties: true,
};

export const LIVEKIT_ROUTES = {
  post: {
    path: '',
    id: 'reportLiveKitWebhook',
    summary: 'LiveKit reports the state of a call',
    description:
      'Set the URL of this route as the webhook URL of the LiveKit project. A webhook may be sent twice, and webhooks may arrive in any order.',
    body: EVENT,
    bodyType: WEBHOOK_CONTENT_TYPE,
    success: {
      description:
        'The event was accepted, or ignored because it does not concern a call of this deployment.',
      schema: {
        title: 'LiveKitWebhookTaken',
        type: 'object',
        properties: {
          moved: { ...FLAG_SCHEMA, description: 'Whether the report changed the call’s state.' },
        },
        required: ['moved'],
      },
    },
    refusals: {
      400: errorDoc(
        'The body is not a webhook event of LiveKit, or the content type is wrong.',
        `Content-Type must be ${WEBHOOK_CONTENT_TYPE}`,
      ),
      401: errorDoc('The signature is missing or wrong.', 'Invalid webhook signature'),
      413: errorDoc('The body is too large.', `The body must be at most ${MAX_BODY_BYTES / 1024} KB`),
    },
  },
} satisfies Record<string, CallbackRoute>;
