import { AUDIT_OPENAPI } from '../audit/audit.openapi.js';
import { CALLS_ADMIN_OPENAPI, CALLS_OPENAPI } from '../calls/records/calls.openapi.js';
import { EXPLAIN_OPENAPI } from '../calls/explain/explain.openapi.js';
import { TRIGGER_OPENAPI } from '../calls/trigger/trigger.openapi.js';
import {
  CAMPAIGN_VERSIONS_OPENAPI,
  TEAM_CAMPAIGN_VERSIONS_OPENAPI,
} from '../campaigns/admin/campaign-versions.openapi.js';
import { CAMPAIGNS_ADMIN_OPENAPI } from '../campaigns/admin/campaigns.openapi.js';
import {
  CAMPAIGN_ENROLLMENTS_OPENAPI,
  ENROLLMENTS_ADMIN_OPENAPI,
  ENROLLMENTS_OPENAPI,
} from '../campaigns/records/enrollments.openapi.js';
import {
  CAMPAIGN_RESULTS_OPENAPI,
  TEAM_CAMPAIGN_RESULTS_OPENAPI,
} from '../campaigns/results/campaign-results.openapi.js';
import { FORECAST_OPENAPI, TEAM_FORECAST_OPENAPI } from '../campaigns/forecast/forecast.openapi.js';
import { TEAM_CAMPAIGNS_OPENAPI } from '../campaigns/records/team-campaigns.openapi.js';
import {
  CARRIER_ACCOUNTS_OPENAPI,
  TEAM_CARRIER_ACCOUNTS_OPENAPI,
} from '../carrier-accounts/carrier-accounts.openapi.js';
import { CARRIER_CALLBACKS_OPENAPI } from '../carrier-callbacks/carrier-callbacks.openapi.js';
import { CONTACTS_OPENAPI } from '../contacts/contacts.openapi.js';
import { CONSENTS_OPENAPI, TEAM_CONSENTS_OPENAPI } from '../consents/consents.openapi.js';
import {
  DO_NOT_CALL_OPENAPI,
  PLATFORM_DO_NOT_CALL_OPENAPI,
  TEAM_DO_NOT_CALL_OPENAPI,
  WHITELIST_OPENAPI,
} from '../suppression/number-lists.openapi.js';
import { ERASURE_ADMIN_OPENAPI, ERASURE_OPENAPI } from '../erasure/erasure.openapi.js';
import { FEED_OPENAPI } from '../events/feed/feed.openapi.js';
import {
  WEBHOOK_DELIVERIES_OPENAPI,
  WEBHOOK_ENDPOINTS_OPENAPI,
} from '../events/webhooks/webhooks.openapi.js';
import { buildDocument, type OpenApiDocument } from '../http/openapi/document.js';
import { type DocumentedController } from '../http/openapi/operation.js';
import { IMPORTS_OPENAPI } from '../imports/imports.openapi.js';
import { HEALTH_OPENAPI, METRICS_OPENAPI } from '../operations/operations.openapi.js';
import { PLATFORM_ERASURES_OPENAPI } from '../platform-erasures/platform-erasures.openapi.js';
import { PLATFORM_OPENAPI } from '../platform/platform.openapi.js';
import {
  NUMBER_POOLS_OPENAPI,
  PHONE_NUMBERS_OPENAPI,
  TEAM_NUMBER_POOLS_OPENAPI,
  TEAM_PHONE_NUMBERS_OPENAPI,
} from '../phone-numbers/phone-numbers.openapi.js';
import { STOPS_ADMIN_OPENAPI, STOPS_OPENAPI } from '../platform/stops/stops.openapi.js';
import { API_KEYS_OPENAPI, OWN_KEY_OPENAPI, TEAMS_OPENAPI } from '../teams/teams.openapi.js';
import { TEAM_VOICE_AGENTS_OPENAPI, VOICE_AGENTS_OPENAPI } from '../voice-agents/voice-agents.openapi.js';

/** Every controller but that of the document itself. */
export const CONTROLLERS: readonly DocumentedController[] = [
  TRIGGER_OPENAPI,
  EXPLAIN_OPENAPI,
  CALLS_OPENAPI,
  CONTACTS_OPENAPI,
  ERASURE_OPENAPI,
  IMPORTS_OPENAPI,
  ENROLLMENTS_OPENAPI,
  TEAM_CAMPAIGNS_OPENAPI,
  TEAM_CAMPAIGN_VERSIONS_OPENAPI,
  TEAM_FORECAST_OPENAPI,
  TEAM_CAMPAIGN_RESULTS_OPENAPI,
  CAMPAIGN_ENROLLMENTS_OPENAPI,
  FEED_OPENAPI,
  TEAM_DO_NOT_CALL_OPENAPI,
  TEAM_CONSENTS_OPENAPI,
  TEAM_VOICE_AGENTS_OPENAPI,
  TEAM_PHONE_NUMBERS_OPENAPI,
  TEAM_NUMBER_POOLS_OPENAPI,
  TEAM_CARRIER_ACCOUNTS_OPENAPI,
  WEBHOOK_ENDPOINTS_OPENAPI,
  WEBHOOK_DELIVERIES_OPENAPI,
  OWN_KEY_OPENAPI,
  STOPS_OPENAPI,
  TEAMS_OPENAPI,
  API_KEYS_OPENAPI,
  PLATFORM_OPENAPI,
  STOPS_ADMIN_OPENAPI,
  AUDIT_OPENAPI,
  PHONE_NUMBERS_OPENAPI,
  NUMBER_POOLS_OPENAPI,
  VOICE_AGENTS_OPENAPI,
  CARRIER_ACCOUNTS_OPENAPI,
  DO_NOT_CALL_OPENAPI,
  PLATFORM_DO_NOT_CALL_OPENAPI,
  WHITELIST_OPENAPI,
  CONSENTS_OPENAPI,
  CAMPAIGNS_ADMIN_OPENAPI,
  CAMPAIGN_VERSIONS_OPENAPI,
  FORECAST_OPENAPI,
  CAMPAIGN_RESULTS_OPENAPI,
  ENROLLMENTS_ADMIN_OPENAPI,
  CALLS_ADMIN_OPENAPI,
  ERASURE_ADMIN_OPENAPI,
  PLATFORM_ERASURES_OPENAPI,
  ...CARRIER_CALLBACKS_OPENAPI,
  HEALTH_OPENAPI,
  METRICS_OPENAPI,
];

const DESCRIPTION = `Places and schedules outbound calls of voice agents, stores contacts, and enrolls them in campaigns.

The API key identifies the team of a customer's request. A JSON body is UTF-8, at most 256 KB, and nested at most 32 levels. The last value counts if a JSON object has a key twice. A body is refused if it has the key \`__proto__\`, NUL, a lone surrogate, or a number that cannot be stored exactly. Imports are files of CSV or NDJSON with limits of their own. Some requests of carriers are forms.

A named field accepts null only if its type includes null. In the bodies that place calls, store contacts and enroll them, null and the empty string in an optional named field count as not sent. In a change of a contact, null clears a field.

Instants in answers are ISO 8601 in UTC. Phone numbers in answers are E.164. After the erasure of a contact, its number is \`erased:\` and a hash.

The call endpoint and its dry run refuse with \`message\`, \`reason\` and \`retryable\`; a 500 also has \`success\`: false. All other operations refuse with \`error\`. The text of a 400 names at most 20 faults. Its \`errors\` has at most 100 entries.`;

/** Each group's tags in the order of reading. */
const TAG_GROUPS: Record<string, Record<string, string>> = {
  'For customers': {
    Calls:
      'Place, schedule, read and cancel calls, and report their results. The credential is a team’s API key.',
    Contacts:
      'Store, read, export and erase the contacts that the team calls. The credential is a team’s API key.',
    Imports: 'Import many contacts from one file. The credential is a team’s API key.',
    Campaigns:
      'Manage campaigns, their versions and enrollments, and enroll contacts. The credential is a team’s API key.',
    Events:
      'Read what happened to calls, enrollments, campaigns, contacts and imports. The credential is a team’s API key.',
    'Do Not Call':
      'Read and change the list of numbers that the team never dials. The credential is a team’s API key.',
    Consents: 'Record and revoke what people have consented to. The credential is a team’s API key.',
    'Agents and numbers':
      'Manage the team’s voice agents and number pools, and read its numbers. The credential is a team’s API key.',
    Webhooks:
      'Manage the endpoints to which the team’s events are sent, and their deliveries. The credential is a team’s API key.',
    Keys: 'Read the team, scopes and limits of the API key that the request sends.',
  },
  'For the operator': {
    'Operator: teams':
      'Manage teams, their limits and API keys, and the settings of the deployment. The credential is the operator token.',
    'Operator: numbers':
      'Manage the numbers and number pools from which a team calls. The credential is the operator token.',
    'Operator: voice agents':
      'Manage voice agents, their calling hours and templates. The credential is the operator token.',
    'Operator: number lists':
      'Manage a team’s Do Not Call list, whitelist and consents. The credential is the operator token.',
    'Operator: campaigns':
      'Manage campaigns, their versions and enrollments. The credential is the operator token.',
    'Operator: contacts': 'Erase a contact. The credential is the operator token.',
    'Operator: calls':
      'Read calls with every decision and its evidence, and resolve `dial_unknown`. The credential is the operator token.',
  },
  'For carriers and monitoring': {
    Carriers:
      'Carriers report the states of calls, and request instructions for a call. Each request is signed or has a token.',
    Health: 'Health checks and metrics of the process.',
    Documentation: 'Read this documentation.',
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
