import { CALLS_ADMIN_OPENAPI, CALLS_OPENAPI } from '../calls/records/calls.openapi.js';
import { EXPLAIN_OPENAPI } from '../calls/explain/explain.openapi.js';
import { TRIGGER_OPENAPI } from '../calls/trigger/trigger.openapi.js';
import { CAMPAIGN_VERSIONS_OPENAPI } from '../campaigns/definition/campaign-versions.openapi.js';
import { CAMPAIGNS_ADMIN_OPENAPI } from '../campaigns/definition/campaigns.openapi.js';
import { ENROLLMENTS_ADMIN_OPENAPI, ENROLLMENTS_OPENAPI } from '../campaigns/records/enrollments.openapi.js';
import { FORECAST_OPENAPI } from '../campaigns/forecast/forecast.openapi.js';
import { TEAM_CAMPAIGNS_OPENAPI } from '../campaigns/records/team-campaigns.openapi.js';
import { CARRIER_CALLBACKS_OPENAPI } from '../carrier-callbacks/carrier-callbacks.openapi.js';
import { CONTACTS_OPENAPI } from '../contacts/contacts.openapi.js';
import {
  DO_NOT_CALL_OPENAPI,
  TEAM_DO_NOT_CALL_OPENAPI,
  WHITELIST_OPENAPI,
} from '../do-not-call/number-lists.openapi.js';
import { ERASURE_ADMIN_OPENAPI, ERASURE_OPENAPI } from '../erasure/erasure.openapi.js';
import { FEED_OPENAPI } from '../events/feed/feed.openapi.js';
import {
  WEBHOOK_DELIVERIES_OPENAPI,
  WEBHOOK_ENDPOINTS_OPENAPI,
} from '../events/webhooks/webhooks.openapi.js';
import { buildDocument, type OpenApiDocument } from '../http/openapi/document.js';
import { type DocumentedController } from '../http/openapi/operation.js';
import { IMPORTS_OPENAPI } from '../imports/imports.openapi.js';
import { HEALTH_OPENAPI, METRICS_OPENAPI, PLATFORM_OPENAPI } from '../operations/operations.openapi.js';
import {
  NUMBER_POOLS_OPENAPI,
  PHONE_NUMBERS_OPENAPI,
  TEAM_PHONE_NUMBERS_OPENAPI,
} from '../phone-numbers/phone-numbers.openapi.js';
import { API_KEYS_OPENAPI, OWN_KEY_OPENAPI, TEAMS_OPENAPI } from '../teams/teams.openapi.js';
import { TEAM_VOICE_AGENTS_OPENAPI, VOICE_AGENTS_OPENAPI } from '../voice-agents/voice-agents.openapi.js';

const CONTROLLERS = [
  TRIGGER_OPENAPI,
  EXPLAIN_OPENAPI,
  CALLS_OPENAPI,
  CONTACTS_OPENAPI,
  ERASURE_OPENAPI,
  IMPORTS_OPENAPI,
  ENROLLMENTS_OPENAPI,
  TEAM_CAMPAIGNS_OPENAPI,
  FEED_OPENAPI,
  TEAM_DO_NOT_CALL_OPENAPI,
  TEAM_VOICE_AGENTS_OPENAPI,
  TEAM_PHONE_NUMBERS_OPENAPI,
  WEBHOOK_ENDPOINTS_OPENAPI,
  WEBHOOK_DELIVERIES_OPENAPI,
  OWN_KEY_OPENAPI,
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
  FORECAST_OPENAPI,
  ENROLLMENTS_ADMIN_OPENAPI,
  CALLS_ADMIN_OPENAPI,
  ERASURE_ADMIN_OPENAPI,
  ...CARRIER_CALLBACKS_OPENAPI,
  HEALTH_OPENAPI,
  METRICS_OPENAPI,
];

const DESCRIPTION = `Places and schedules outbound calls of voice agents, stores contacts, and enrolls them in campaigns.

The API key of a customer's request names its team. Every request is JSON in UTF-8, has at most 256 KB, and nests at most 32 levels. If a JSON object has a key twice, the last value counts. In the fields that the API names, null counts as not sent, except where a PATCH clears a field. The key \`__proto__\`, NUL and lone surrogates are refused. Instants are ISO 8601 in UTC; phone numbers in answers are E.164.

The call endpoint refuses with \`message\`, \`reason\` and \`retryable\`, and with \`success\`: false beside a 500. All other operations refuse with \`error\`. A 400 names every bad field.`;

/** Each group's tags in the order of reading. */
const TAG_GROUPS: Record<string, Record<string, string>> = {
  'For customers': {
    Calls: 'Place and schedule calls, read and cancel them. With a team’s API key.',
    Contacts: 'People that the team calls. With a team’s API key.',
    Imports: 'Many contacts at once, from a file. With a team’s API key.',
    Campaigns: 'Enrollments of contacts in campaigns. With a team’s API key.',
    Events: 'What happened to calls, enrollments, campaigns and contacts. With a team’s API key.',
    'Do Not Call': 'Numbers that the team never dials. With a team’s API key.',
    'Agents and numbers': 'Voice agents, and the numbers that they call from. With a team’s API key.',
    Webhooks: 'Endpoints to which the team’s events are sent, and their deliveries. With a team’s API key.',
    Keys: 'What a key is and may do. With a team’s API key.',
  },
  'For the operator': {
    'Operator: teams': 'Teams, their limits, API keys and pauses. With the operator token.',
    'Operator: numbers': 'Numbers and number pools that teams call from. With the operator token.',
    'Operator: voice agents': 'Voice agents, their calling hours and templates. With the operator token.',
    'Operator: number lists': 'The Do Not Call list and the whitelist. With the operator token.',
    'Operator: campaigns': 'Campaigns, their versions and enrollments. With the operator token.',
    'Operator: contacts': 'Erasing a person. With the operator token.',
    'Operator: calls': 'Calls with every decision and its evidence. With the operator token.',
  },
  'For carriers and monitoring': {
    Carriers: 'Reports of carriers, signed or with a token.',
    Health: 'Probes and metrics.',
    Documentation: 'This documentation.',
  },
};

/**
 * The document of the whole API.
 *
 * @param more further controllers, such as the one that serves the document.
 */
export function apiDocument(...more: DocumentedController[]): OpenApiDocument {
  const groups = Object.entries(TAG_GROUPS);
  return buildDocument([...CONTROLLERS, ...more], {
    info: { title: 'Outdial', version: '1.0.0', description: DESCRIPTION },
    servers: serversOf(undefined),
    tags: groups.flatMap(([, tags]) =>
      Object.entries(tags).map(([name, description]) => ({ name, description })),
    ),
    'x-tagGroups': groups.map(([name, tags]) => ({ name, tags: Object.keys(tags) })),
  });
}

/** @param publicUrl `PUBLIC_URL`, or undefined: requests go to the host that the document came from. */
export function serversOf(publicUrl: string | undefined): OpenApiDocument['servers'] {
  return [
    publicUrl === undefined
      ? { url: '/', description: 'The host of this document.' }
      : { url: publicUrl, description: 'The public address of this deployment.' },
  ];
}
