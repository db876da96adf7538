import { MAX_SEED } from '../../domain/drawn-outcome.js';
import { type ForecastHour } from '../../domain/campaigns/forecast/tally.js';
import { describeBody } from '../../http/body-schema.js';
import {
  COUNT_SCHEMA,
  COUNTS_SCHEMA,
  described,
  INSTANT_SCHEMA,
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
    description: 'The start of the virtual clock. No call is dialed before it.',
    examples: ['2027-03-22T09:00:00+01:00'],
  },
  until: {
    description: `The end of the virtual clock, at most ${MAX_FORECAST_DAYS} days after \`from\`.`,
    examples: ['2027-04-05T09:00:00+02:00'],
  },
  concurrency: 'The most calls that are active at a time. It replaces the team’s limit.',
  assume: {
    description:
      'The chances of the outcomes, from 0 to 1. Their sum is at most 1, and the rest is `failed`. `seconds` is the length of a call.',
    examples: [{ completed: 0.35, no_answer: 0.4, busy: 0.1, voicemail: 0.1, seconds: 90 }],
  },
  seed: `A whole number from 0 to ${MAX_SEED}. The same seed draws the same outcomes.`,
  contacts: 'The number of made-up contacts. They replace the live enrollments of the version.',
  zones: 'The time zones of the made-up contacts, assigned in turn. The default is the zone of the agent.',
});

const SKIPPED = described(
  COUNTS_SCHEMA,
  'The due attempts that each rule prevented. The names are those of `waitingFor`.',
);

const FORECAST = objectOf<ForecastResource>('Forecast', {
  versionId: UUID_SCHEMA,
  from: INSTANT_SCHEMA,
  until: INSTANT_SCHEMA,
  enrollments: described(COUNT_SCHEMA, 'Live enrollments of the version, or made-up contacts.'),
  dials: COUNT_SCHEMA,
  dialsByHour: described(
    listOf(
      objectOf<ForecastHour>('ForecastHour', {
        hour: described(INSTANT_SCHEMA, 'The start of the hour.'),
        dials: COUNT_SCHEMA,
        skipped: SKIPPED,
      }),
    ),
    'Hours without dials and refusals are absent.',
  ),
  outcomes: described(COUNTS_SCHEMA, 'Calls that ended, by outcome.'),
  firstDialAt: nullable(INSTANT_SCHEMA),
  lastDialAt: nullable(INSTANT_SCHEMA),
  finish: described(
    nullable(INSTANT_SCHEMA),
    'The instant at which the last enrollment ends. Null if enrollments are live at `until`.',
  ),
  ended: described(COUNTS_SCHEMA, 'Enrollments that end, by reason.'),
  live: described(COUNT_SCHEMA, 'Enrollments that are live at `until`.'),
  waitingFor: described(COUNTS_SCHEMA, 'The live enrollments by `waitingFor`.'),
  skipped: SKIPPED,
  concurrencyPeak: described(COUNT_SCHEMA, 'The most calls that are active at one instant.'),
  concurrencyNeeded: described(
    COUNT_SCHEMA,
    'The most calls that are active at one instant without the limit `concurrency`. With this number of concurrency slots, calls wait only for the campaign’s own limit.',
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
        'A forecast stores no data and places no calls. It reads the current rules, live enrollments and calls. `assume` gives ' +
        'the outcomes of calls. An API process plays one forecast at a time, and answers further requests with 429.',
      success: {
        description: 'The dials of each hour, and the attempts that rules prevented.',
        schema: FORECAST,
      },
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
