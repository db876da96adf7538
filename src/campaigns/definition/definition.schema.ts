import { MAX_DURATION_DAYS } from '../../domain/campaigns/duration.js';
import {
  COMPLETED_REASONS,
  RETRY_OUTCOMES,
  STEP_OUTCOMES,
} from '../../domain/campaigns/definition/definition.js';
import { MAX_DIALS, MAX_NUMBER_CAPS, MAX_STEPS } from '../../domain/campaigns/definition/parse-definition.js';
import {
  MAX_DELAYS,
  MAX_ROUTES,
  MAX_STEP_ATTEMPTS,
  STEP_KEY,
} from '../../domain/campaigns/definition/parse-step.js';
import {
  ANY_OBJECT_SCHEMA,
  described,
  type JsonSchema,
  listOf,
  nullable,
  oneOf,
  UUID_SCHEMA,
} from '../../http/json-schema.js';
import { CALLING_HOURS_SCHEMA, CLOSED_DATES_SCHEMA } from '../../voice-agents/calling-hours.schema.js';

export const DURATION_SCHEMA: JsonSchema = {
  type: 'string',
  pattern: '^P(?=.)(?:\\d+W)?(?:\\d+D)?(?:T(?=.)(?:\\d+H)?(?:\\d+M)?(?:\\d+S)?)?$',
  description: `An ISO 8601 duration of W, D, H, M and S, at most P${MAX_DURATION_DAYS}D.`,
  examples: ['P1DT12H'],
};
const KEY: JsonSchema = { type: 'string', pattern: STEP_KEY.source };
const TRUE: JsonSchema = nullable({ type: 'boolean', enum: [true] });

/** An object of these keys only; all but the required ones may be null. */
export function closed(properties: Record<string, JsonSchema>, required: string[] = []): JsonSchema {
  const fields = Object.entries(properties).map(([key, schema]): [string, JsonSchema] => [
    key,
    required.includes(key) ? schema : nullable(schema),
  ]);
  return { type: 'object', properties: Object.fromEntries(fields), required, additionalProperties: false };
}

const count = (maximum: number): JsonSchema => ({ type: 'integer', minimum: 1, maximum });

const ROUTE: JsonSchema = described(
  closed({
    disposition: { type: 'string', minLength: 1, maxLength: 80 },
    outcome: oneOf(STEP_OUTCOMES),
    goal: TRUE,
    callback: TRUE,
    end: oneOf(COMPLETED_REASONS),
    next: described(KEY, 'A later step.'),
  }),
  'One condition (`disposition`, `outcome`) and one effect (`goal`, `callback`, `end`, `next`).',
);

const STEP: JsonSchema = closed(
  {
    key: described(KEY, 'Unique among the steps.'),
    agentId: UUID_SCHEMA,
    after: described(
      DURATION_SCHEMA,
      'The first step’s counts from enrollment, any other from the recorded end of the last call of the step before.',
    ),
    maxAttempts: described(
      count(MAX_STEP_ATTEMPTS),
      'Processed dials of the step, the first included; by default one more than the number of all delays.',
    ),
    retry: described(
      closed(
        Object.fromEntries(
          RETRY_OUTCOMES.map((name) => [name, listOf(DURATION_SCHEMA, { maxItems: MAX_DELAYS })]),
        ),
      ),
      'The delays of each outcome, from the recorded end of the call; an outcome that is not listed is not retried.',
    ),
    on: described(listOf(ROUTE, { maxItems: MAX_ROUTES }), 'After the retries; the first match applies.'),
  },
  ['key', 'agentId'],
);

const CAPS: JsonSchema = closed({
  maxAttempts: described(count(MAX_DIALS), 'Processed dials of one entry into the campaign.'),
  perNumber: described(
    listOf(closed({ count: count(MAX_DIALS), per: DURATION_SCHEMA }, ['count', 'per']), {
      maxItems: MAX_NUMBER_CAPS,
    }),
    'All processed calls of the team to the number, in rolling windows.',
  ),
  afterConversation: described(DURATION_SCHEMA, 'The time without calls after a completed call.'),
  lifetime: described(DURATION_SCHEMA, 'From enrollment; the enrollment ends at that instant.'),
});

/**
 * The shape that `parseDefinition` accepts. `parseDefinition` also checks how steps refer to each other,
 * which a schema cannot express.
 */
export const DEFINITION_SCHEMA: JsonSchema = closed({
  note: {
    anyOf: [{ type: 'string' }, ANY_OBJECT_SCHEMA],
    description: 'A text or an object of your own.',
  },
  steps: described(listOf(STEP, { maxItems: MAX_STEPS }), 'In order; without steps no calls are placed.'),
  variables: described(ANY_OBJECT_SCHEMA, 'The variables of every call.'),
  hours: described(CALLING_HOURS_SCHEMA, 'Calling hours that narrow the agent’s.'),
  closedDates: described(CLOSED_DATES_SCHEMA, 'Dates without calls, in addition to the agent’s.'),
  caps: CAPS,
});

/**
 * Two retries after `no_answer`, and one after `busy`. A second step follows three days after `no_response`.
 */
export const DEFINITION_EXAMPLE = {
  note: 'spring',
  steps: [
    {
      key: 'first',
      agentId: '0b6e0f3c-6f5e-4f8e-9a57-0d6f1f0f7a11',
      maxAttempts: 3,
      retry: { no_answer: ['PT16H', 'P1D'], busy: ['PT13H'] },
      on: [
        { outcome: 'completed', end: 'reached' },
        { outcome: 'no_response', next: 'second' },
      ],
    },
    { key: 'second', agentId: '0b6e0f3c-6f5e-4f8e-9a57-0d6f1f0f7a11', after: 'P3D' },
  ],
  caps: { maxAttempts: 6, perNumber: [{ count: 2, per: 'PT24H' }], lifetime: 'P14D' },
};
