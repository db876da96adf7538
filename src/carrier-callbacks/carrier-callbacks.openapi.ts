import { CARRIER_EVENT_STATUSES } from '../carriers/carrier.js';
import { documented } from '../http/openapi/operation.js';
import {
  FLAG_SCHEMA,
  INSTANT_SCHEMA,
  type JsonSchema,
  nullable,
  oneOf,
  UUID_SCHEMA,
} from '../http/json-schema.js';
import { errorDoc } from '../http/openapi/errors.js';
import { HttpCallbackController } from './http-callback.controller.js';
import { SimulatorCallbackController } from './simulator-callback.controller.js';

const SHORT_TEXT: JsonSchema = { type: 'string', pattern: '^[\\x20-\\x7e]{1,200}$' };

const REPORTED_INSTANT: JsonSchema = { ...INSTANT_SCHEMA, pattern: '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$' };

/** What `carrierEventFromJson` takes. */
const EVENT: JsonSchema = {
  title: 'CarrierEvent',
  type: 'object',
  properties: {
    callRequestId: UUID_SCHEMA,
    carrierCallId: nullable(SHORT_TEXT),
    status: oneOf(CARRIER_EVENT_STATUSES),
    at: REPORTED_INSTANT,
    answeredAt: REPORTED_INSTANT,
    reason: SHORT_TEXT,
    durationSeconds: { type: 'integer', minimum: 0 },
  },
  required: ['callRequestId', 'carrierCallId', 'status', 'at'],
  additionalProperties: { description: 'Other keys are ignored.' },
};

const EVENT_TAKEN: JsonSchema = {
  title: 'EventTaken',
  type: 'object',
  properties: { moved: { ...FLAG_SCHEMA, description: 'Whether the call moved by it.' } },
  required: ['moved'],
};

export const SIMULATOR_CALLBACK_OPENAPI = documented(
  SimulatorCallbackController,
  { surface: 'carrier', tag: 'Carriers' },
  {
    post: {
      id: 'reportSimulatorEvent',
      summary: 'The simulator’s process reports what became of a call',
      description: 'In production the route exists only with `CARRIER=simulator`.',
      body: EVENT,
      success: {
        description: 'It is taken.',
        schema: EVENT_TAKEN,
      },
    },
  },
);

export const HTTP_CALLBACK_OPENAPI = documented(
  HttpCallbackController,
  { surface: 'signed', tag: 'Carriers' },
  {
    post: {
      id: 'reportHttpCarrierEvent',
      summary: 'A runtime behind the HTTP carrier reports what became of a call',
      description:
        'Signed by Standard Webhooks: the headers `webhook-id`, `webhook-timestamp` (seconds, at most five minutes off) ' +
        'and `webhook-signature` over the body as it is sent. Reports may come twice and in any order.',
      body: EVENT,
      bodyExamples: {
        completed: {
          callRequestId: '0198c7a2-5b0e-7d7c-9a55-0d6a3f1f2b10',
          carrierCallId: 'line-7-4711',
          status: 'completed',
          at: '2026-11-20T14:00:33.120Z',
          answeredAt: '2026-11-20T14:00:03.120Z',
          durationSeconds: 30,
        },
      },
      success: { description: 'It is taken.', schema: EVENT_TAKEN },
      refusals: {
        404: errorDoc('The carrier has no such call, or knows it by another id.', 'Call not found'),
      },
    },
  },
);
