import { CALLS_ADMIN_OPENAPI, CALLS_OPENAPI } from '../calls/records/calls.openapi.js';
import { TRIGGER_OPENAPI } from '../calls/trigger/trigger.openapi.js';
import { CAMPAIGN_VERSIONS_OPENAPI, CAMPAIGNS_ADMIN_OPENAPI } from '../campaigns/campaigns.openapi.js';
import { ENROLLMENTS_ADMIN_OPENAPI, ENROLLMENTS_OPENAPI } from '../campaigns/enrollments.openapi.js';
import { CARRIER_CALLBACKS_OPENAPI } from '../carrier-callbacks/carrier-callbacks.openapi.js';
import { CONTACTS_OPENAPI } from '../contacts/contacts.openapi.js';
import { DO_NOT_CALL_OPENAPI, WHITELIST_OPENAPI } from '../do-not-call/number-lists.openapi.js';
import { buildDocument, type OpenApiDocument } from '../http/openapi/document.js';
import { type DocumentedController } from '../http/openapi/operation.js';
import { HEALTH_OPENAPI, METRICS_OPENAPI, PLATFORM_OPENAPI } from '../operations/operations.openapi.js';
import { NUMBER_POOLS_OPENAPI, PHONE_NUMBERS_OPENAPI } from '../phone-numbers/phone-numbers.openapi.js';
import { API_KEYS_OPENAPI, TEAMS_OPENAPI } from '../teams/teams.openapi.js';
import { VOICE_AGENTS_OPENAPI } from '../voice-agents/voice-agents.openapi.js';

const CONTROLLERS = [
  TRIGGER_OPENAPI,
  CALLS_OPENAPI,
  CONTACTS_OPENAPI,
  ENROLLMENTS_OPENAPI,
  TEAMS_OPENAPI,
  API_KEYS_OPENAPI,
  PLATFORM_OPENAPI,
  PHONE_NUMBERS_OPENAPI,
  NUMBER_POOLS_OPENAPI,
  VOICE_AGENTS_OPENAPI,
  DO_NOT_CALL_OPENAPI,
  WHITELIST_OPENAPI,
  CAMPAIGNS_ADMIN_OPENAPI,
  CAMPAIGN_VERSIONS_OPENAPI,
  ENROLLMENTS_ADMIN_OPENAPI,
  CALLS_ADMIN_OPENAPI,
  ...CARRIER_CALLBACKS_OPENAPI,
  HEALTH_OPENAPI,
  METRICS_OPENAPI,
];

const DESCRIPTION = `Places and schedules outbound calls of voice agents, keeps contacts, and enrolls them in campaigns.

Every request is JSON in UTF-8 of at most 256 KB, nested at most 32 levels deep, and is made on behalf of the team that its API key names. Of a key sent twice the last value counts, null counts as not sent, and \`__proto__\` as a key, NUL and lone surrogates are refused. Instants are ISO 8601 in UTC, phone numbers of answers E.164.

The call endpoint refuses with \`message\` and \`reason\` (and \`success\`: false with 500); all others with \`error\`.`;

const TAGS = [
  { name: 'Calls', description: 'Triggering calls, and what became of them. With a team’s API key.' },
  { name: 'Contacts', description: 'Whom the team calls. With a team’s API key.' },
  { name: 'Campaigns', description: 'What contacts are enrolled in. With a team’s API key.' },
  { name: 'Operator: teams', description: 'Tenants, their limits and keys. With the operator token.' },
  { name: 'Operator: numbers', description: 'What the teams call from.' },
  { name: 'Operator: voice agents', description: 'What talks, and when it may.' },
  { name: 'Operator: number lists', description: 'Do Not Call, and the whitelist.' },
  { name: 'Operator: campaigns', description: 'Campaigns, their versions and enrollments.' },
  { name: 'Operator: calls', description: 'Calls with every decision and its evidence.' },
  { name: 'Carriers', description: 'Where carriers report.' },
  { name: 'Health', description: 'Probes and metrics.' },
  { name: 'Documentation', description: 'This.' },
];

/** The document of the whole API; `more` are controllers that themselves need it. */
export function apiDocument(...more: DocumentedController[]): OpenApiDocument {
  return buildDocument([...CONTROLLERS, ...more], {
    info: { title: 'Outdial', version: '1.0.0', description: DESCRIPTION },
    tags: TAGS,
  });
}
