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
import { byKey, documented, type OperationsOf } from '../../http/openapi/operation.js';
import { type ForecastRoutes } from './forecast-routes.js';
import { ForecastController } from './forecast.controller.js';
import { ForecastAdminController } from './forecast-admin.controller.js';
import {
  ForecastRequest,
  type ForecastResource,
  MAX_ENROLLMENTS,
  MAX_FORECAST_DAYS,
} from './forecast.dto.js';

describeBody([ForecastRequest], {
  from: {
    description: 'The start of the simulated period. No call is dialed before it.',
    examples: ['2027-03-22T09:00:00+01:00'],
  },
  until: {
    description: `The end of the simulated period, at most ${MAX_FORECAST_DAYS} days after \`from\`.`,
    examples: ['2027-04-05T09:00:00+02:00'],
  },
  concurrency:
    'The maximum number of active calls. It replaces the limit of the team. The limit of the campaign still applies.',
  assume: {
    description:
      'The probability of each outcome, from 0 to 1. An absent one is 0. Their sum is at most 1; the rest is the probability of ' +
      '`failed`. `seconds` is the time from the claim to the end of a call, in seconds.',
    examples: [{ completed: 0.35, no_answer: 0.4, busy: 0.1, voicemail: 0.1, seconds: 90 }],
  },
  seed: `A whole number from 0 to ${MAX_SEED}. It determines the drawn outcomes: the same seed draws the same ones.`,
  contacts: `The number of made-up contacts, at most ${MAX_ENROLLMENTS}. They replace the live enrollments of the version.`,
  zones:
    'The time zones of the made-up contacts, assigned in turn. By default, the time zone of the agent applies. Needs `contacts`.',
});

const SKIPPED = described(
  COUNTS_SCHEMA,
  'The number of due attempts that each rule prevented. The names are those of `waitingFor`.',
);

const FORECAST = objectOf<ForecastResource>('Forecast', {
  versionId: UUID_SCHEMA,
  from: INSTANT_SCHEMA,
  until: INSTANT_SCHEMA,
  enrollments: described(
    COUNT_SCHEMA,
    'The number of live enrollments of the version, or of made-up contacts.',
  ),
  dials: described(COUNT_SCHEMA, 'The number of calls that are dialed.'),
  dialsByHour: described(
    listOf(
      objectOf<ForecastHour>('ForecastHour', {
        hour: described(INSTANT_SCHEMA, 'The start of the hour, a full hour in UTC.'),
        dials: described(COUNT_SCHEMA, 'The number of calls that are dialed in the hour.'),
        skipped: SKIPPED,
      }),
    ),
    'The dials and prevented attempts of each hour. Hours with neither are absent.',
  ),
  outcomes: described(COUNTS_SCHEMA, 'The number of calls that ended before `until`, for each outcome.'),
  firstDialAt: described(
    nullable(INSTANT_SCHEMA),
    'When the first call is dialed. Null if no call is dialed.',
  ),
  lastDialAt: described(nullable(INSTANT_SCHEMA), 'When the last call is dialed. Null if no call is dialed.'),
  finish: described(
    nullable(INSTANT_SCHEMA),
    'When the last enrollment ends. Null if enrollments are live at `until`, or if there are none.',
  ),
  ended: described(COUNTS_SCHEMA, 'The number of enrollments that end, for each `endReason`.'),
  live: described(COUNT_SCHEMA, 'The number of enrollments that are live at `until`.'),
  waitingFor: described(
    COUNTS_SCHEMA,
    'The number of enrollments that are live at `until`, for each `waitingFor`.',
  ),
  skipped: SKIPPED,
  activeAtStart: described(COUNT_SCHEMA, 'The number of calls that are active at `from`.'),
  overLimitUntil: described(
    nullable(INSTANT_SCHEMA),
    'Until when more calls are active than `concurrency` and the limit of the campaign allow, because they were active at `from`. ' +
      'Until then, no call is dialed. Null if the limits are not exceeded.',
  ),
  concurrencyPeak: described(
    COUNT_SCHEMA,
    'The highest number of calls that are active at one instant. Calls that were active at `from` count, even above the limits.',
  ),
  concurrencyNeeded: described(
    COUNT_SCHEMA,
    'The highest number of calls that are active at one instant without the limit `concurrency`. ' +
      'With this number of concurrency slots, no call waits for the limit of the team. The limit of the campaign still applies.',
  ),
});

const OPERATIONS: OperationsOf<ForecastRoutes> = {
  forecast: {
    id: 'forecastCampaignVersion',
    summary: 'Forecast the calls of a version',
    description:
      'A forecast simulates the decisions of the campaign between `from` and `until`. It stores no data and places no calls. It reads ' +
      'the current settings, live enrollments and calls. The outcomes of calls are drawn with the probabilities in `assume`. An API ' +
      'process computes one forecast at a time. It answers further requests with 429.',
    success: {
      description: 'The forecast: the dials of each hour, and the attempts that rules prevented.',
      schema: FORECAST,
    },
    refusals: {
      409: errorDoc(
        'The team has erased numbers, and the process cannot recognize them, because `ERASURE_KEY` is missing or wrong.',
        'The team has erased numbers, and ERASURE_KEY is not set or another one',
      ),
      422: errorDoc(
        `The version has more than ${MAX_ENROLLMENTS} live enrollments, or the forecast takes too long.`,
        `The version has more than ${MAX_ENROLLMENTS} live enrollments; ask for made-up contacts instead`,
      ),
    },
  },
};

export const TEAM_FORECAST_OPENAPI = documented(
  ForecastController,
  { surface: 'team', tag: 'Campaigns' },
  byKey(OPERATIONS),
);

export const FORECAST_OPENAPI = documented(
  ForecastAdminController,
  { surface: 'operator', tag: 'Operator: campaigns' },
  OPERATIONS,
);
