import { guardrailOf } from '../../domain/guardrails/guardrails.js';
import { toChange } from '../../domain/key-scopes.js';
import { MAX_PHONE_NUMBER_TEXT } from '../../domain/phone-number.js';
import { bodySchemaOf, describeBody, EMPTY_IS_ABSENT } from '../../http/body-schema.js';
import { type JsonSchema, nullable, oneOf, orEmpty, UUID_SCHEMA } from '../../http/json-schema.js';
import { MAX_JSON_BYTES } from '../../http/validators.js';
import { EXAMPLE_REQUEST_ID } from '../../http/openapi/errors.js';
import { documented, type ResponseDoc } from '../../http/openapi/operation.js';
import { refusalAnswer } from './answers.js';
import { refused } from './command.js';
import { REFUSALS, type RefusalReason } from './refusals.js';
import { TriggerFields } from './request.js';
import { TriggerController } from './trigger.controller.js';

describeBody([TriggerFields], {
  fullName: { description: 'Full name of the contact.', examples: ['Ada Lovelace'] },
  name: 'Alias of `fullName`, which wins where both are sent.',
  email: {
    description: 'E-mail address of the contact; it does not identify the contact.',
    examples: ['ada@example.com'],
  },
  companyName: { description: 'Company of the contact.', examples: ['Analytical Engines'] },
  companyWebsite: { description: 'Website of the company.', examples: ['https://example.com'] },
  timezone: {
    description:
      'IANA time zone of the contact, which decides the calling hours. Without it, the contact’s stored zone applies, else the agent’s.',
    examples: ['America/New_York'],
  },
  fromPhoneNumber: {
    description:
      'Caller ID: an active, outbound-enabled number of the team. `numberPoolId` takes precedence.',
    examples: ['+14155550100'],
  },
  teamId: 'Not needed. Where it is sent, it must be the team of the API key.',
});

const { properties } = bodySchemaOf(TriggerFields, { emptyIsAbsent: true });

/** The body of contract 4.1. */
export const TRIGGER_BODY: JsonSchema = {
  title: 'TriggerCall',
  type: 'object',
  properties: {
    phoneNumber: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_PHONE_NUMBER_TEXT,
      description: 'Number to call, preferably in E.164; the national form needs the team’s default country.',
      examples: ['+14155552671'],
    },
    ...properties,
    numberPoolId: {
      ...orEmpty(nullable(UUID_SCHEMA)),
      description: 'Pool to pick the caller ID from; it takes precedence over every other source.',
    },
  },
  required: ['phoneNumber'],
  additionalProperties: {
    description: `Every other key is a variable of this call for the agent’s templates, with any value. All variables together have at most ${MAX_JSON_BYTES} bytes of JSON.`,
  },
};

const EXAMPLE_ID = '0b0f7a0e-6f0a-4a5e-9d2c-1f6a3f0f5b11';
const EXAMPLE_CONTACT_ID = '5e2f0f3c-3a52-4a43-8f6e-2f1d8f6b9c10';

const ACCEPTED: JsonSchema = {
  title: 'CallAccepted',
  type: 'object',
  properties: {
    success: { type: 'boolean', const: true },
    callRequestId: { ...UUID_SCHEMA, description: 'The id with which the call is read and canceled.' },
    contactId: { ...UUID_SCHEMA, description: 'The contact that was created or updated.' },
    rescheduled: {
      type: 'boolean',
      const: true,
      description: 'Only if the call waits for its opening.',
    },
    runsAt: {
      type: 'string',
      format: 'date-time',
      description: 'When the call is due; only with `rescheduled`.',
    },
  },
  required: ['success', 'callRequestId', 'contactId'],
  dependentRequired: { rescheduled: ['runsAt'], runsAt: ['rescheduled'] },
};

const WHEN: Record<number, string> = {
  400: 'The request is not valid, or the number may not be called.',
  409: 'A request with the same `Idempotency-Key` is being answered.',
  413: 'The body is too large.',
  415: 'The body has a `Content-Encoding`.',
  422: 'The `Idempotency-Key` came with another request before.',
  429: 'A limit is reached: of the plan, of calls to this number, of requests a second, or of wrong keys from one address.',
  500: 'The agent or the key is wrong, the number is not dialed, or the service failed.',
};

/** The refusals of one status, from the table of the endpoint's refusals. */
function refusal(
  status: number,
  name = 'CallRefusal',
  known = Object.keys(REFUSALS) as RefusalReason[],
): ResponseDoc {
  const reasons = known.filter((reason) => REFUSALS[reason].status === status);
  const replays = name === 'CallRefusal' && [400, 429, 500].includes(status);
  const fields: Record<string, JsonSchema> = {
    message: {
      type: 'string',
      description: 'Describes the fault. It names every bad field, separated by semicolons.',
    },
    reason: { ...oneOf(reasons), description: 'The code of the refusal.' },
    retryable: {
      type: 'boolean',
      description:
        'Whether the same request may be accepted later without a change. The answer of a guardrail is stored for ' +
        'its `Idempotency-Key`: send such a request with a new one.',
    },
  };
  const schema: JsonSchema =
    status === 500
      ? {
          title: `${name}500`,
          type: 'object',
          properties: { success: { type: 'boolean', const: false }, ...fields },
          required: ['success', 'message', 'reason', 'retryable'],
        }
      : {
          title: `${name}${status}`,
          type: 'object',
          properties: fields,
          required: ['message', 'reason', 'retryable'],
        };
  const examples = Object.fromEntries(
    reasons.map((reason) => [reason, refusalAnswer(refused(reason), EXAMPLE_REQUEST_ID).body]),
  );
  const later = reasons.includes('RATE_LIMITED') || reasons.includes('SERVICE_UNAVAILABLE');
  const list = reasons.map((reason) => `\`${reason}\`: ${REFUSALS[reason].message}.`).join(' ');
  return {
    description: `${WHEN[status] ?? 'Refused.'} ${list}`,
    schema,
    examples,
    headers: [...(later ? ['Retry-After'] : []), ...(replays ? ['Idempotency-Replayed'] : [])],
  };
}

const statuses = [...new Set(Object.values(REFUSALS).map(({ status }) => status))];

export const TRIGGER_OPENAPI = documented(
  TriggerController,
  { surface: 'call', tag: 'Calls' },
  {
    post: {
      id: 'triggerCall',
      summary: 'Trigger an outbound call',
      description:
        'Creates or updates the contact and calls the number. Outside the agent’s calling hours, the call waits for ' +
        'the next opening, and the guardrails are evaluated when it fires. Every refusal has its `reason`, and `retryable`: whether waiting helps. ' +
        EMPTY_IS_ABSENT,
      body: TRIGGER_BODY,
      bodyExamples: {
        number: { phoneNumber: '+14155552671' },
        everything: {
          phoneNumber: '+14155552671',
          fullName: 'Ada Lovelace',
          email: 'ada@example.com',
          companyName: 'Analytical Engines',
          companyWebsite: 'https://example.com',
          timezone: 'America/New_York',
          fromPhoneNumber: '+14155550100',
          appointment: 'Tuesday, 3 pm',
          order: { id: 4711, items: 3 },
        },
      },
      idempotent: true,
      ownScope: toChange('calls'),
      status: 200,
      success: {
        description: 'The call is queued, or scheduled for the next opening.',
        schema: ACCEPTED,
        examples: {
          queued: { success: true, callRequestId: EXAMPLE_ID, contactId: EXAMPLE_CONTACT_ID },
          scheduled: {
            success: true,
            callRequestId: EXAMPLE_ID,
            contactId: EXAMPLE_CONTACT_ID,
            rescheduled: true,
            runsAt: '2026-11-20T14:00:00.000Z',
          },
        },
      },
      refusals: Object.fromEntries(statuses.map((status) => [status, refusal(status)])),
    },
  },
);

/** The refusals that come before the guardrails, for an endpoint where an `Idempotency-Key` has no effect. */
export function refusalsBeforeRules(name: string): Record<number, ResponseDoc> {
  const early = (Object.keys(REFUSALS) as RefusalReason[]).filter(
    (reason) => guardrailOf(reason) === undefined && !reason.startsWith('IDEMPOTENCY_KEY'),
  );
  const found = [...new Set(early.map((reason) => REFUSALS[reason].status))];
  return Object.fromEntries(found.map((status) => [status, refusal(status, name, early)]));
}
