import { MAX_SEED } from '../../domain/drawn-outcome.js';
import { type ForecastHour } from '../../domain/campaigns/forecast/tally.js';
import { describeBody } from '../../http/body-schema.js';
import {
  described,
  INSTANT_SCHEMA,
  type JsonSchema,
  listOf,
  nullable,
  objectOf,
  UUID_SCHEMA,
} from '../../http/json-schema.js';
import { errorDoc } from '../../http/openapi/errors.js';
import { documented } from '../../http/openapi/operation.js';
import { ForecastAdminController } from './forecast-admin.controller.js';
import {
  ForecastRequest,
  type ForecastResource,
  MAX_ENROLLMENTS,
  MAX_FORECAST_DAYS,
} from './forecast.dto.js';

describeBody([ForecastRequest], {
  from: {
    description: 'When the virtual clock begins. Nothing is dialed before.',
    examples: ['2027-03-22T09:00:00+01:00'],
  },
  until: {
    description: `When it ends, at most ${MAX_FORECAST_DAYS} days later.`,
    examples: ['2027-04-05T09:00:00+02:00'],
  },
  concurrency: 'Calls that may be active at a time, instead of the team’s limit.',
  assume: {
    description:
      'How calls end: chances from 0 to 1 that add up to at most 1, the rest is `failed`; and how many seconds a call takes.',
    examples: [{ completed: 0.35, no_answer: 0.4, busy: 0.1, voicemail: 0.1, seconds: 90 }],
  },
  seed: `The same seed draws the same outcomes; 0 to ${MAX_SEED}.`,
  contacts: 'So many made-up contacts are played instead of the live enrollments of the version.',
  zones: 'Time zones of the made-up contacts, given in turn; by default that of the agent.',
});

const COUNT: JsonSchema = { type: 'integer', minimum: 0 };
const counts = (description: string): JsonSchema => ({
  type: 'object',
  additionalProperties: COUNT,
  description,
});
const SKIPPED = counts(
  'By rule, as in `waitingFor`: how often it kept an attempt that was due from being dialed.',
);

const FORECAST = objectOf<ForecastResource>('Forecast', {
  versionId: UUID_SCHEMA,
  from: INSTANT_SCHEMA,
  until: INSTANT_SCHEMA,
  enrollments: described(COUNT, 'Live enrollments of the version, or made-up contacts.'),
  dials: COUNT,
  dialsByHour: described(
    listOf(
      objectOf<ForecastHour>('ForecastHour', {
        hour: described(INSTANT_SCHEMA, 'When the hour begins.'),
        dials: COUNT,
        skipped: SKIPPED,
      }),
    ),
    'Hours without dials and refusals are absent.',
  ),
  outcomes: counts('Calls that ended, by outcome.'),
  firstDialAt: nullable(INSTANT_SCHEMA),
  lastDialAt: nullable(INSTANT_SCHEMA),
  finish: described(
    nullable(INSTANT_SCHEMA),
    'When the last enrollment ends; null if some are live at `until`.',
  ),
  ended: counts('Enrollments that end, by reason.'),
  live: described(COUNT, 'Enrollments that are live at `until`.'),
  waitingFor: counts('What these wait for.'),
  skipped: SKIPPED,
  concurrencyPeak: described(COUNT, 'The most calls that are active at one instant.'),
  concurrencyNeeded: described(
    COUNT,
    'The same without the limit: with so many slots, no call waits for one.',
  ),
});

export const FORECAST_OPENAPI = documented(
  ForecastAdminController,
  { surface: 'operator', tag: 'Operator: campaigns' },
  {
    forecast: {
      id: 'forecastCampaignVersion',
      summary: 'Play a version on a virtual clock',
      description:
        'Stores nothing and dials nobody. The rules, the live enrollments and their calls are as they are now; how calls end is ' +
        'assumed. An API process plays one forecast at a time and answers others with 429.',
      success: { description: 'What would be dialed, and what would not.', schema: FORECAST },
      refusals: {
        409: errorDoc(
          'The team has erased numbers, and the process cannot recognize them.',
          'The team has erased numbers, and ERASURE_KEY is not set or another one',
        ),
        422: errorDoc(
          'There are too many enrollments, or the forecast takes too long.',
          `The version has more than ${MAX_ENROLLMENTS} live enrollments; ask for made-up contacts instead`,
        ),
      },
    },
  },
);
