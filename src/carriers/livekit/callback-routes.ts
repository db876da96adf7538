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
    event: { type: 'string', description: 'Others than `participant_*` and `room_finished` are ignored.' },
    room: {
      type: 'object',
      properties: {
        name: { type: 'string', description: '`call-<callRequestId>-<n>`; other rooms are ignored.' },
        metadata: TEXT,
      },
      additionalProperties: true,
    },
    participant: {
      type: 'object',
      properties: {
        identity: { type: 'string', description: '`phone-<callRequestId>`; other participants are ignored.' },
        attributes: { type: 'object', additionalProperties: TEXT },
        disconnectReason: { type: ['string', 'integer'] },
      },
      additionalProperties: true,
    },
    createdAt: { type: ['string', 'integer'], description: 'Seconds since 1970.' },
  },
  additionalProperties: true,
};

export const LIVEKIT_ROUTES = {
  post: {
    path: '',
    id: 'reportLiveKitWebhook',
    summary: 'LiveKit reports the state of a call',
    description:
      'The address for the webhooks of a LiveKit project. Webhooks may come twice, and in any order.',
    body: EVENT,
    bodyType: WEBHOOK_CONTENT_TYPE,
    success: {
      description: 'The event was accepted, or it is about no call of this deployment.',
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
        'The body, or its content type, is not that of a webhook.',
        `Content-Type must be ${WEBHOOK_CONTENT_TYPE}`,
      ),
      401: errorDoc('It is not signed by LiveKit.', 'Invalid webhook signature'),
      413: errorDoc('The body is too large.', `The body must be at most ${MAX_BODY_BYTES / 1024} KB`),
    },
  },
} satisfies Record<string, CallbackRoute>;
