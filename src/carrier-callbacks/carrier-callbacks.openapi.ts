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
import { SimulatorCallbackController } from './simulator-callback.controller.js';

const SHORT_TEXT: JsonSchema = { type: 'string', pattern: '^[\\x20-\\x7e]{1,200}$' };

const REPORTED_INSTANT: JsonSchema = { ...INSTANT_SCHEMA, pattern: '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$' };

/** What `carrierEventFromJson` takes. */
const EVENT: JsonSchema = {
  title: 'SimulatorEvent',
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

export const CARRIER_CALLBACKS_OPENAPI = documented(
  SimulatorCallbackController,
  { surface: 'carrier', tag: 'Carriers' },
  {
    post: {
      id: 'reportSimulatorEvent',
      summary: 'The simulator’s process reports what became of a call',
      body: EVENT,
      success: {
        description: 'It is taken.',
        schema: {
          title: 'EventTaken',
          type: 'object',
          properties: { moved: { ...FLAG_SCHEMA, description: 'Whether the call moved by it.' } },
          required: ['moved'],
        },
      },
    },
  },
);
