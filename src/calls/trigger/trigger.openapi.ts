import {
  TRIGGER_FIELDS,
  type TriggerFieldAlias,
  type TriggerFieldName,
} from '../../domain/contact-fields.js';
import { guardrailOf } from '../../domain/guardrails/guardrails.js';
import { toChange } from '../../domain/key-scopes.js';
import { nearMisses } from '../../domain/near-misses.js';
import { MAX_PHONE_NUMBER_TEXT } from '../../domain/phone-number.js';
import {
  bodySchemaOf,
  describeBody,
  EMPTY_IS_ABSENT,
  type FieldDoc,
  NATIONAL_FORM,
  OWN_TEAM,
} from '../../http/body-schema.js';
import {
  type JsonSchema,
  nullable,
  oneOf,
  orEmpty,
  UUID_SCHEMA,
  WARNINGS_SCHEMA,
} from '../../http/json-schema.js';
import { MAX_JSON_BYTES } from '../../http/validators.js';
import { filterParameters } from '../../http/filters.js';
import { EXAMPLE_REQUEST_ID, HINT_SCHEMA } from '../../http/openapi/errors.js';
import { documented, type ResponseDoc } from '../../http/openapi/operation.js';
import { refusalAnswer } from './answers.js';
import { refused } from './command.js';
import { REFUSALS, type RefusalReason } from './refusals.js';
import { CALL_KEYS, TriggerFields } from './request.js';
import { WINDOW_PARAMETERS } from './window.js';
import { TriggerController } from './trigger.controller.js';

describeBody([TriggerFields], {
  ...contactFieldDocs(),
  fromPhoneNumber: {
    description:
      'Number to call from: an active number of the team with outbound calling enabled. `numberPoolId` takes precedence.',
    examples: ['+14155550100'],
  },
  teamId: OWN_TEAM,
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
      description: `Number to call, preferably in E.164. ${NATIONAL_FORM}`,
      examples: ['+14155552671'],
    },
    ...properties,
    numberPoolId: {
      ...orEmpty(nullable(UUID_SCHEMA)),
      description: 'Pool from which the caller ID is picked. It takes precedence over every other source.',
    },
  },
  required: ['phoneNumber'],
  additionalProperties: {
    description: `Every other key is a variable for the agent’s templates, in this call only. It can have any JSON value. All variables together have at most ${MAX_JSON_BYTES} bytes of JSON.`,
  },
};

const EXAMPLE_ID = '0b0f7a0e-6f0a-4a5e-9d2c-1f6a3f0f5b11';
const EXAMPLE_CONTACT_ID = '5e2f0f3c-3a52-4a43-8f6e-2f1d8f6b9c10';

const ACCEPTED: JsonSchema = {
  title: 'CallAccepted',
  type: 'object',
  properties: {
    success: { type: 'boolean', const: true },
    callRequestId: {
      ...UUID_SCHEMA,
      description: 'The id of the call. The call is read and canceled by this id.',
    },
    contactId: { ...UUID_SCHEMA, description: 'The contact that was created or updated.' },
    rescheduled: {
      type: 'boolean',
      const: true,
      description: '`true` if the call waits for the next opening of the calling hours; absent otherwise.',
    },
    runsAt: {
      type: 'string',
      format: 'date-time',
      description: 'The instant at which the call is due. Absent without `rescheduled`.',
    },
    warnings: WARNINGS_SCHEMA,
  },
  required: ['success', 'callRequestId', 'contactId'],
  dependentRequired: { rescheduled: ['runsAt'], runsAt: ['rescheduled'] },
};

const WHEN: Record<number, string> = {
  400: 'The request is not valid or not allowed.',
  409: 'The first request with this `Idempotency-Key` is still in progress.',
  413: 'The body is too large.',
  415: 'The body has a `Content-Encoding`.',
  422: 'The `Idempotency-Key` was used with another request.',
  429: 'A limit is reached. `RATE_LIMITED` is for requests per second, wrong keys from one address, and memory for request bodies.',
  500: 'The request is refused for one of these reasons, or the service failed.',
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
      description:
        'Describes the fault. Several faults are separated by semicolons; of many, it describes the first 20.',
    },
    reason: { ...oneOf(reasons), description: 'The code of the refusal.' },
    retryable: {
      type: 'boolean',
      description:
        'Whether the same request may be accepted later without a change. The refusal of a guardrail is stored for ' +
        'the request’s `Idempotency-Key`, so a later attempt needs a new key.',
    },
  };
  if (status === 500) fields.hint = HINT_SCHEMA;
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
        'the next opening, and so does a call before its `notBefore`. The trigger then evaluates only the guardrail for the called country, and all guardrails are evaluated when the call is due. ' +
        'A guardrail refuses with status 400, 429 or 500. Every refusal has a `reason`, and `retryable` says whether waiting helps. ' +
        EMPTY_IS_ABSENT,
      query: filterParameters(WINDOW_PARAMETERS),
      body: TRIGGER_BODY,
      bodyExamples: {
        number: { phoneNumber: '+14155552671' },
        everything: {
          phoneNumber: '+14155552671',
          ...contactFieldExamples(),
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
          warned: {
            success: true,
            callRequestId: EXAMPLE_ID,
            contactId: EXAMPLE_CONTACT_ID,
            warnings: nearMisses({ timeZone: 'America/New_York' }, CALL_KEYS),
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

/** The descriptions of the contact's fields. An alias has the description of its field. */
function contactFieldDocs(): Record<TriggerFieldName | TriggerFieldAlias, FieldDoc> {
  const docs = TRIGGER_FIELDS.flatMap(({ name, trigger, example }): [string, FieldDoc][] => {
    const doc = { description: trigger.description, examples: [example] };
    if (!('alias' in trigger)) return [[name, doc]];
    const { alias } = trigger;
    return [
      [alias, doc],
      [name, `Alias of \`${alias}\`. If both are sent, \`${alias}\` is used.`],
    ];
  });
  return Object.fromEntries(docs) as Record<TriggerFieldName | TriggerFieldAlias, FieldDoc>;
}

/** An example of each field of the contact, by its alias if it has one. */
function contactFieldExamples(): Record<string, string> {
  return Object.fromEntries(
    TRIGGER_FIELDS.map(({ name, trigger, example }) => ['alias' in trigger ? trigger.alias : name, example]),
  );
}
