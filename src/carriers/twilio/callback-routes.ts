import { FLAG_SCHEMA, type JsonSchema, oneOf } from '../../http/json-schema.js';
import { MAX_FORM_BYTES } from '../../http/form-body.js';
import { errorDoc } from '../../http/openapi/errors.js';
import { type OperationDoc } from '../../http/openapi/operation.js';
import { type CallbackRoute } from '../callbacks.js';
import { LATE_DETECTION } from './twilio-paths.js';
import { TWILIO_STATUSES } from './twilio-status.js';

const FORM = 'application/x-www-form-urlencoded';
const OTHERS = {
  description: 'Other fields that Twilio sends. The signature covers them, and Outdial ignores them.',
};
const CALL_SID: JsonSchema = { type: 'string', pattern: '^[Cc][Aa][0-9a-fA-F]{32}$' };
const NUMBER: JsonSchema = { type: 'string', description: 'A whole number, in digits.' };

const REFUSALS: OperationDoc['refusals'] = {
  400: errorDoc('The body is not a form, or a field is malformed.', 'CallSid must be the SID of a call'),
  413: errorDoc('The form is too large.', `The form must be at most ${MAX_FORM_BYTES / 1024} KB`),
  404: errorDoc(
    'The call does not exist, belongs to another carrier, or has another `CallSid`. TwiML is also refused after the call has ended.',
    'Call not found',
  ),
};

const TAKEN: OperationDoc['success'] = {
  description: 'The report was accepted.',
  schema: {
    title: 'TwilioReportTaken',
    type: 'object',
    properties: { moved: { ...FLAG_SCHEMA, description: 'Whether the report changed the call’s state.' } },
    required: ['moved'],
  },
};

/**
 * The routes at which Twilio reports a call's state, reports whether a person or a machine answered, and
 * requests TwiML.
 */
export const TWILIO_ROUTES = {
  status: {
    path: 'status/:callRequestId',
    id: 'reportTwilioStatus',
    summary: 'Twilio reports the state of a call',
    bodyType: FORM,
    body: {
      title: 'TwilioStatus',
      type: 'object',
      properties: {
        CallSid: CALL_SID,
        CallStatus: oneOf(Object.keys(TWILIO_STATUSES)),
        AnsweredBy: {
          type: 'string',
          description: 'The result of answering machine detection, such as `human` or `machine_start`.',
        },
        Timestamp: { type: 'string', description: 'The time of the status, in the format of RFC 2822.' },
        CallDuration: NUMBER,
        SipResponseCode: NUMBER,
        ErrorCode: NUMBER,
      },
      required: ['CallSid', 'CallStatus'],
      additionalProperties: OTHERS,
    },
    query: {
      [LATE_DETECTION.name]: {
        description:
          '`async` if the result of answering machine detection may arrive after the call was answered. Outdial adds this parameter.',
        schema: { type: 'string' },
      },
    },
    success: TAKEN,
    refusals: REFUSALS,
  },
  detection: {
    path: 'amd/:callRequestId',
    id: 'reportTwilioVerdict',
    summary: 'Twilio reports the result of answering machine detection',
    bodyType: FORM,
    body: {
      title: 'TwilioVerdict',
      type: 'object',
      properties: {
        CallSid: CALL_SID,
        AnsweredBy: { type: 'string' },
        MachineDetectionDuration: {
          ...NUMBER,
          description: 'The duration of the detection in milliseconds, in digits.',
        },
      },
      required: ['CallSid'],
      additionalProperties: OTHERS,
    },
    success: TAKEN,
    refusals: REFUSALS,
  },
  twiml: {
    path: 'twiml/:callRequestId',
    id: 'getTwiml',
    summary: 'Twilio requests the TwiML of an answered call',
    bodyType: FORM,
    body: {
      title: 'TwilioVoiceRequest',
      type: 'object',
      properties: { CallSid: { type: 'string' } },
      required: ['CallSid'],
      additionalProperties: OTHERS,
    },
    success: {
      description: 'TwiML that connects the call to the agent’s voice runtime.',
      schema: { type: 'string' },
      contentType: 'text/xml',
    },
    refusals: REFUSALS,
  },
} satisfies Record<string, CallbackRoute>;
