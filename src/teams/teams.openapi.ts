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
  monthlyCallLimit: 'Calls in a calendar month, UTC. Null: no limit, also for the other limits.',
  numberDailyLimit: 'Processed calls to one number in rolling 24 hours.',
  numberWeeklyLimit: 'Processed calls to one number in rolling 7 days.',
  numberMonthlyLimit: 'Processed calls to one number in rolling 30 days.',
  maxConcurrentCalls: 'Active calls at a time. Further due calls wait until one has ended.',
};

const RETENTION = {
  callRetentionDays:
    'Days for which an ended call is kept; null is without end, `platform` stands for the platform’s days.',
  eventRetentionDays: 'The same for events.',
};

const MEANINGS = {
  name: { description: 'Display name.', examples: ['Acme Insurance'] },
  timezone: 'IANA time zone of the times that operations staff see.',
  defaultCountry: 'Country in which numbers in national form are read; null refuses them.',
  allowedCountries: 'Countries that may be called; null is any.',
  whitelistOnly: 'Whether only numbers on the whitelist are called.',
  paused: 'While set, none of its calls is dialed.',
  retryWithinRedialWindow:
    'Whether a campaign may retry a contact within 12 hours of its own earlier `busy`, `no_answer` or `failed` attempts.',
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
  callRetentionDays: days(MIN_CALL_DAYS, 'Days for which an ended call is kept; null is without end.'),
  eventRetentionDays: days(MIN_EVENT_DAYS, 'Days for which an event is kept; null is without end.'),
  paused: FLAG_SCHEMA,
  retryWithinRedialWindow: FLAG_SCHEMA,
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
      summary: 'Dial for the team again',
      success: { description: 'The team.', schema: TEAM },
    },
  },
);

describeBody([CreateApiKey], {
  name: { description: 'Display name.', examples: ['CRM'] },
  scopes: 'What the key is limited to; null, or no list, is every scope, also those of later versions.',
  expiresAt: 'From then on the key is unknown; null is never.',
});

/** The scopes of a key. */
export const KEY_SCOPE_LIST = described(listOf(oneOf(KEY_SCOPES)), 'What the key may do.');

const KEY_FIELDS: Record<keyof ApiKeyResource, JsonSchema> = {
  id: UUID_SCHEMA,
  name: TEXT_SCHEMA,
  prefix: described(TEXT_SCHEMA, 'The key’s first characters.'),
  scopes: KEY_SCOPE_LIST,
  expiresAt: described(nullable(INSTANT_SCHEMA), 'From then on the key is unknown; null is never.'),
  lastUsedAt: described(
    nullable(INSTANT_SCHEMA),
    'The minute of the last request with the key; each process records it once a minute. Null before the first request.',
  ),
  createdAt: INSTANT_SCHEMA,
};
const KEY = objectOf<ApiKeyResource>('ApiKeyResource', KEY_FIELDS);
const NEW_KEY = objectOf<NewApiKeyResource>('NewApiKeyResource', {
  ...KEY_FIELDS,
  key: described(TEXT_SCHEMA, 'The key itself, shown this once.'),
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
      success: { description: 'The key, shown this once.', schema: NEW_KEY },
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
  apiRequestsPerSecond: limit('Requests a second with this key; null is no limit.', 1),
  ...TEAM_LIMITS,
  monthlyCallsUsed: limit('Calls of this month that count; null without a limit.'),
});

export const OWN_KEY_OPENAPI = documented(
  OwnKeyController,
  { surface: 'team', tag: 'Keys' },
  {
    get: {
      id: 'getOwnKey',
      summary: 'Read what the key is and may do',
      description: 'Every key may read this.',
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
