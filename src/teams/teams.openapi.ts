import { KEY_SCOPES } from '../domain/key-scopes.js';
import { MIN_CALL_DAYS, MIN_EVENT_DAYS } from '../domain/retention.js';
import { describeBody } from '../http/body-schema.js';
import {
  described,
  FLAG_SCHEMA,
  INSTANT_SCHEMA,
  type JsonSchema,
  listOf,
  nullable,
  objectOf,
  oneOf,
  TEXT_SCHEMA,
  UUID_SCHEMA,
} from '../http/json-schema.js';
import { documented, pageOfItems } from '../http/openapi/operation.js';
import { COUNTRY_LIST_SCHEMA, COUNTRY_SCHEMA, daysSchema } from '../http/operator-validators.js';
import { type ApiKeyResource, CreateApiKey, type NewApiKeyResource } from './api-key.dto.js';
import { ApiKeysAdminController } from './api-keys-admin.controller.js';
import { OwnKeyController } from './own-key.controller.js';
import { type OwnKey, type OwnLimits } from './own-key.service.js';
import { CreateTeam, type TeamResource, UpdateTeam } from './team.dto.js';
import { TeamsAdminController } from './teams-admin.controller.js';

const LIMITS = {
  monthlyCallLimit: 'The maximum number of calls in a calendar month (UTC). Null is no limit.',
  numberDailyLimit:
    'The maximum number of processed calls to one number in rolling 24 hours. Null is no limit.',
  numberWeeklyLimit:
    'The maximum number of processed calls to one number in rolling 7 days. Null is no limit.',
  numberMonthlyLimit:
    'The maximum number of processed calls to one number in rolling 30 days. Null is no limit.',
  maxConcurrentCalls:
    'The maximum number of active calls at a time. Further due calls wait until a call ends. Null is no limit.',
};

const CALL_DAYS =
  'The number of days for which an ended call is stored. A campaign with a longer cap extends the time. Null stores calls without end.';
const EVENT_DAYS = 'The number of days for which an event is stored. Null stores events without end.';
const AS_PLATFORM = '`platform` means that the days of the platform apply. It is the value of a new team.';

const RETENTION = {
  callRetentionDays: `${CALL_DAYS} ${AS_PLATFORM}`,
  eventRetentionDays: `${EVENT_DAYS} ${AS_PLATFORM}`,
};

const MEANINGS = {
  name: { description: 'Display name.', examples: ['Acme Insurance'] },
  timezone: 'IANA time zone in which the operations pages show times. A new team has UTC.',
  defaultCountry: 'The country of numbers in national form. Null: numbers in national form are refused.',
  allowedCountries: 'The countries that may be called. Null allows every country.',
  whitelistOnly: 'Whether only numbers on the whitelist may be called.',
  paused: 'Whether dialing for the team is stopped. Requests are still accepted.',
  retryWithinRedialWindow:
    'Whether a campaign may retry a contact within 12 hours of an attempt of the same enrollment that ended `busy`, `no_answer` or ' +
    '`failed`. It also allows requested callbacks within 12 hours of any call.',
  acceptUnknownRanges:
    'Whether calls and contacts may have numbers whose length is possible in their country, but whose range is not known, such as ' +
    'those of an area code that is newer than this version. The decision about such a call has a warning.',
  ...LIMITS,
  ...RETENTION,
};

describeBody([CreateTeam, UpdateTeam], MEANINGS);

const limit = (description: string, minimum = 0): JsonSchema => ({
  type: ['integer', 'null'],
  minimum,
  description,
});

const days = (min: number, description: string) => described(nullable(daysSchema(min)), description);

const TEAM_LIMITS = {
  monthlyCallLimit: limit(LIMITS.monthlyCallLimit),
  numberDailyLimit: limit(LIMITS.numberDailyLimit),
  numberWeeklyLimit: limit(LIMITS.numberWeeklyLimit),
  numberMonthlyLimit: limit(LIMITS.numberMonthlyLimit),
  maxConcurrentCalls: limit(LIMITS.maxConcurrentCalls, 1),
};

const TEAM = objectOf<TeamResource>('TeamResource', {
  id: UUID_SCHEMA,
  name: TEXT_SCHEMA,
  timezone: TEXT_SCHEMA,
  defaultCountry: nullable(COUNTRY_SCHEMA),
  allowedCountries: nullable(COUNTRY_LIST_SCHEMA),
  whitelistOnly: FLAG_SCHEMA,
  ...TEAM_LIMITS,
  callRetentionDays: days(MIN_CALL_DAYS, CALL_DAYS),
  eventRetentionDays: days(MIN_EVENT_DAYS, EVENT_DAYS),
  paused: FLAG_SCHEMA,
  retryWithinRedialWindow: FLAG_SCHEMA,
  acceptUnknownRanges: FLAG_SCHEMA,
  createdAt: INSTANT_SCHEMA,
});

export const TEAMS_OPENAPI = documented(
  TeamsAdminController,
  { surface: 'operator', tag: 'Operator: teams' },
  {
    list: {
      id: 'listTeams',
      summary: 'List teams',
      success: { description: 'A page of teams.', schema: pageOfItems(TEAM, 'TeamResourcePage') },
    },
    create: {
      id: 'createTeam',
      summary: 'Create a team',
      success: { description: 'The team.', schema: TEAM },
    },
    get: { id: 'getTeam', summary: 'Read a team', success: { description: 'The team.', schema: TEAM } },
    update: {
      id: 'updateTeam',
      summary: 'Change a team; fields that are not sent stay unchanged',
      success: { description: 'The team.', schema: TEAM },
    },
    pause: {
      id: 'pauseTeam',
      summary: 'Stop dialing for the team; its requests are still accepted',
      success: { description: 'The team, paused.', schema: TEAM },
    },
    resume: {
      id: 'resumeTeam',
      summary: 'Resume dialing for the team',
      success: { description: 'The team.', schema: TEAM },
    },
  },
);

const EXPIRES_AT =
  'From this instant, the key is refused like an unknown key. Null: the key does not expire.';

describeBody([CreateApiKey], {
  name: { description: 'Display name.', examples: ['CRM'] },
  scopes:
    'The scopes of the key. Null or an absent list gives every scope, including the scopes of later versions.',
  expiresAt: EXPIRES_AT,
});

/** The scopes of a key. */
export const KEY_SCOPE_LIST = described(listOf(oneOf(KEY_SCOPES)), 'The scopes of the key.');

const KEY_FIELDS: Record<keyof ApiKeyResource, JsonSchema> = {
  id: UUID_SCHEMA,
  name: TEXT_SCHEMA,
  prefix: described(TEXT_SCHEMA, 'The first characters of the key.'),
  scopes: KEY_SCOPE_LIST,
  expiresAt: described(nullable(INSTANT_SCHEMA), EXPIRES_AT),
  lastUsedAt: described(
    nullable(INSTANT_SCHEMA),
    'The last request with the key, to the minute. It is recorded with a delay of up to a minute. Null if no request is recorded yet.',
  ),
  createdAt: INSTANT_SCHEMA,
};
const KEY = objectOf<ApiKeyResource>('ApiKeyResource', KEY_FIELDS);
const NEW_KEY = objectOf<NewApiKeyResource>('NewApiKeyResource', {
  ...KEY_FIELDS,
  key: described(TEXT_SCHEMA, 'The key itself. Only this answer shows it.'),
});

export const API_KEYS_OPENAPI = documented(
  ApiKeysAdminController,
  { surface: 'operator', tag: 'Operator: teams' },
  {
    list: {
      id: 'listApiKeys',
      summary: 'List a team’s API keys',
      success: { description: 'A page of keys.', schema: pageOfItems(KEY, 'ApiKeyResourcePage') },
    },
    create: {
      id: 'createApiKey',
      summary: 'Create an API key',
      success: { description: 'The key. Only this answer shows `key`.', schema: NEW_KEY },
    },
    get: { id: 'getApiKey', summary: 'Read an API key', success: { description: 'The key.', schema: KEY } },
    revoke: {
      id: 'revokeApiKey',
      summary: 'Revoke an API key at once',
      success: { description: 'The key is revoked.' },
    },
  },
);

const OWN_LIMITS = objectOf<OwnLimits>('OwnLimits', {
  apiRequestsPerSecond: limit('The maximum number of requests a second with this key. Null is no limit.', 1),
  ...TEAM_LIMITS,
  monthlyCallsUsed: limit(
    'The number of calls of the current month (UTC) that count against `monthlyCallLimit`. Null if there is no monthly limit.',
  ),
});

export const OWN_KEY_OPENAPI = documented(
  OwnKeyController,
  { surface: 'team', tag: 'Keys' },
  {
    get: {
      id: 'getOwnKey',
      summary: 'Read the team, the scopes and the limits of the key',
      description: 'No scope is needed.',
      success: {
        description: 'The key.',
        schema: objectOf<OwnKey>('OwnKey', {
          teamId: UUID_SCHEMA,
          teamName: TEXT_SCHEMA,
          keyName: TEXT_SCHEMA,
          scopes: KEY_SCOPE_LIST,
          limits: OWN_LIMITS,
        }),
      },
    },
  },
);
