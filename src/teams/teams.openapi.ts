import { KEY_SCOPES } from '../domain/key-scopes.js';
import {
  forEachSetting,
  SHOWN_TEAM_SETTINGS,
  TEAM_SETTINGS,
  type TeamSetting,
} from '../domain/team-settings.js';
import { describeBody } from '../http/body-schema.js';
import {
  described,
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
import { type ApiKeyResource, CreateApiKey, type NewApiKeyResource } from './api-key.dto.js';
import { ApiKeysAdminController } from './api-keys-admin.controller.js';
import { OwnKeyController } from './own-key.controller.js';
import { type OwnKey, type OwnLimits } from './own-key.service.js';
import { CreateTeam, type TeamResource, UpdateTeam } from './team.dto.js';
import { teamSettingSchema } from './team-setting-rule.js';
import { TeamsAdminController } from './teams-admin.controller.js';

const AS_PLATFORM = '`platform` means that the days of the platform apply. It is the value of a new team.';

describeBody(
  [CreateTeam, UpdateTeam],
  forEachSetting(TEAM_SETTINGS, (setting) => {
    const { description, kind } = setting;
    if (kind.type === 'days') return `${description} ${AS_PLATFORM}`;
    return 'example' in setting ? { description, examples: [setting.example] } : description;
  }),
);

const answered = ({ kind, description }: TeamSetting) => described(teamSettingSchema(kind), description);

const TEAM = objectOf<TeamResource>('TeamResource', {
  id: UUID_SCHEMA,
  ...forEachSetting(TEAM_SETTINGS, answered),
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
  apiRequestsPerSecond: described(
    teamSettingSchema({ type: 'limit', min: 1 }),
    'The maximum number of requests a second with this key. Null is no limit.',
  ),
  ...forEachSetting(SHOWN_TEAM_SETTINGS, answered),
  monthlyCallsUsed: described(
    teamSettingSchema({ type: 'limit', min: 0 }),
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
