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
  description:
    'An ISO 8601 duration of weeks (W), days (D), hours (H), minutes (M, after `T`) and seconds (S). ' +
    `Years and months are not allowed. The maximum is P${MAX_DURATION_DAYS}D. Weeks and days keep the local time of day.`,
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
    disposition: described(
      { type: 'string', minLength: 1, maxLength: 80 },
      'Matches a completed call whose result has this disposition and is reported within 15 minutes of the recorded end. ' +
        'With `goal`, it matches at any time and after any outcome.',
    ),
    outcome: described(
      oneOf(STEP_OUTCOMES),
      '`completed` matches a completed call. `no_response` matches when no retry is left.',
    ),
    goal: described(TRUE, 'The enrollment ends, completed by the goal.'),
    callback: described(
      TRUE,
      'The contact is called again at the `callbackAt` of the result. Needs `disposition`. Without a `callbackAt`, the entry does ' +
        'not match.',
    ),
    end: described(oneOf(COMPLETED_REASONS), 'The enrollment ends, completed with this reason.'),
    next: described(
      KEY,
      'The enrollment moves to the step with this key. The step must come later in `steps`.',
    ),
  }),
  'An entry has exactly one condition (`disposition` or `outcome`) and exactly one effect (`goal`, `callback`, `end` or `next`).',
);

const STEP: JsonSchema = closed(
  {
    key: described(KEY, 'The key of the step. It is unique within the definition.'),
    agentId: described(UUID_SCHEMA, 'The voice agent that calls. It must belong to the team.'),
    after: described(
      DURATION_SCHEMA,
      'The wait before the first call of the step. It counts from the end of the previous call of the enrollment. ' +
        'Before any call, it counts from enrollment. The default is no wait.',
    ),
    maxAttempts: described(
      count(MAX_STEP_ATTEMPTS),
      'The maximum number of calls of the step that are dialed or perhaps dialed, the first call included. ' +
        'Requested callbacks do not count. The default is one more than the number of all delays in `retry`.',
    ),
    retry: described(
      closed(
        Object.fromEntries(
          RETRY_OUTCOMES.map((name) => [name, listOf(DURATION_SCHEMA, { maxItems: MAX_DELAYS })]),
        ),
      ),
      'For each outcome, the delays before the retries. Each delay counts from the end of the call. ' +
        'An outcome that is not listed is not retried.',
    ),
    on: described(
      listOf(ROUTE, { maxItems: MAX_ROUTES }),
      'What follows a completed call, or another call after which no retry is left. The first entry that matches applies. ' +
        'If none matches, a completed call ends the enrollment. Otherwise the next step follows; after the last step, the enrollment ends.',
    ),
  },
  ['key', 'agentId'],
);

const CAPS: JsonSchema = closed({
  maxAttempts: described(
    count(MAX_DIALS),
    'The maximum number of calls of one enrollment that are dialed or perhaps dialed, requested callbacks included. ' +
      'Null is no limit.',
  ),
  perNumber: described(
    listOf(closed({ count: count(MAX_DIALS), per: DURATION_SCHEMA }, ['count', 'per']), {
      maxItems: MAX_NUMBER_CAPS,
    }),
    'The team makes at most `count` calls to the number in any period of length `per`. Dialed and perhaps dialed calls count. ' +
      'Calls of other campaigns, triggered calls and requested callbacks count, too.',
  ),
  afterConversation: described(
    DURATION_SCHEMA,
    'The time without a call after the end of a completed call of the team to the number. ' +
      'A requested callback is exempt. Null is no such time.',
  ),
  lifetime: described(
    DURATION_SCHEMA,
    'The time from enrollment after which the enrollment ends. It must be longer than zero. Null is no limit.',
  ),
});

/**
 * The shape that `parseDefinition` accepts. `parseDefinition` also checks how steps refer to each other,
 * which a schema cannot express.
 */
export const DEFINITION_SCHEMA: JsonSchema = closed({
  note: {
    anyOf: [{ type: 'string' }, ANY_OBJECT_SCHEMA],
    description: 'A text or an object that is stored with the definition. It has no effect.',
  },
  steps: described(
    listOf(STEP, { maxItems: MAX_STEPS }),
    'The steps, in the order in which they follow each other. A version without steps places no calls.',
  ),
  variables: described(ANY_OBJECT_SCHEMA, 'The variables of every call of the version.'),
  hours: described(
    CALLING_HOURS_SCHEMA,
    'Calling hours of the campaign. A call is placed only within these and within the calling hours of the agent.',
  ),
  closedDates: described(
    CLOSED_DATES_SCHEMA,
    'Dates on which the campaign places no calls, in addition to the closed dates of the agent.',
  ),
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
