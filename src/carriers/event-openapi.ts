import {
  FLAG_SCHEMA,
  INSTANT_SCHEMA,
  type JsonSchema,
  nullable,
  oneOf,
  UUID_SCHEMA,
} from '../http/json-schema.js';
import { RESULT_PROPERTIES } from '../http/call-result-fields.js';
import { CARRIER_EVENT_STATUSES } from './carrier.js';

const SHORT_TEXT: JsonSchema = { type: 'string', pattern: '^[\\x20-\\x7e]{1,200}$' };

const REPORTED_INSTANT: JsonSchema = { ...INSTANT_SCHEMA, pattern: '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$' };

/** The body that `carrierEventFromJson` reads. */
export const EVENT_SCHEMA: JsonSchema = {
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
    ...RESULT_PROPERTIES,
  },
  required: ['callRequestId', 'carrierCallId', 'status', 'at'],
  additionalProperties: { description: 'Other keys are ignored.' },
};

/** The answer to a report. */
export const EVENT_TAKEN_SCHEMA: JsonSchema = {
  title: 'EventTaken',
  type: 'object',
  properties: { moved: { ...FLAG_SCHEMA, description: 'Whether the report changed the call’s state.' } },
  required: ['moved'],
};
