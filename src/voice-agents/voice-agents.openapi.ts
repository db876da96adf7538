import { PURPOSES } from '../domain/compliance/pack.js';
import { describeBody } from '../http/body-schema.js';
import {
  ANY_OBJECT_SCHEMA,
  described,
  E164_SCHEMA,
  INSTANT_SCHEMA,
  type JsonSchema,
  listOf,
  nullable,
  objectOf,
  oneOf,
  TEXT_SCHEMA,
  UUID_SCHEMA,
  WARNINGS_SCHEMA,
} from '../http/json-schema.js';
import { byKey, documented, type OperationsOf, pageOfItems } from '../http/openapi/operation.js';
import { CALLING_HOURS_SCHEMA, CLOSED_DATES_SCHEMA } from './calling-hours.schema.js';
import {
  CreateVoiceAgent,
  UpdateVoiceAgent,
  type VoiceAgentResource,
  type WrittenVoiceAgent,
} from './voice-agent.dto.js';
import { type TeamVoiceAgent } from './team-voice-agents.service.js';
import { type VoiceAgentRoutes } from './voice-agent-routes.js';
import { VoiceAgentsController } from './voice-agents.controller.js';
import { VoiceAgentsAdminController } from './voice-agents-admin.controller.js';

const HOURS =
  'The windows of local time in which the agent may dial. Each window is listed under the weekday on which it starts. Null allows any time.';
const DATES =
  'Local dates on which the agent does not dial. A window that starts on such a date is closed also after midnight. A window of the ' +
  'day before ends at midnight.';

const PURPOSE =
  'What the calls of the agent are for. Null: what the `compliance` of the team says. The purpose of a campaign takes precedence.';

describeBody([CreateVoiceAgent, UpdateVoiceAgent], {
  name: { description: 'Display name.', examples: ['Reminders'] },
  timezone:
    'IANA time zone in which calling hours are evaluated if neither the call request nor the contact has one.',
  callingHours: {
    description: `${HOURS} It is required when an agent is created, also if it is null.`,
    examples: [{ monday: [{ start: '09:00', end: '17:00' }] }],
  },
  closedDates: DATES,
  promptTemplate: {
    description:
      'The prompt, with placeholders: fields and custom properties of the contact, such as `{{contact.name}}`, and variables of the call, ' +
      'such as `{{order}}`. `{{contact.name | there}}` has a default for a value that is missing or empty.',
    examples: ['You are calling {{contact.name}} about order {{order}}.'],
  },
  firstMessageTemplate: 'The first message of the agent, with the same placeholders.',
  outboundPhoneNumber:
    'The default caller ID, a phone number of the team. `numberPoolId` takes precedence. Null: the agent has no such number.',
  numberPoolId:
    'The number pool of the team from which the default caller ID is picked. Null: the agent has no pool.',
  carrier:
    'The carrier that places the calls. It must be configured in the deployment. Null is the default carrier of the deployment. ' +
    'With a key of the team, it must also be one of the `allowedCarriers` of the team, if these are not null; `GET /api/me` shows them.',
  carrierAccountId:
    'The team’s own account at the carrier, with which the calls are placed. Null is the account of the deployment.',
  carrierSettings:
    'Settings for the carrier, which checks them when they are stored. A change replaces the whole object.',
  purpose: PURPOSE,
});

const SHOWN_TO_TEAM = {
  id: UUID_SCHEMA,
  name: TEXT_SCHEMA,
  timezone: TEXT_SCHEMA,
  callingHours: described(CALLING_HOURS_SCHEMA, HOURS),
  closedDates: described(CLOSED_DATES_SCHEMA, DATES),
  outboundPhoneNumber: nullable(E164_SCHEMA),
  numberPoolId: nullable(UUID_SCHEMA),
  carrier: nullable(TEXT_SCHEMA),
  carrierAccountId: nullable(UUID_SCHEMA),
  purpose: described(nullable(oneOf(PURPOSES)), PURPOSE),
  createdAt: INSTANT_SCHEMA,
};

const SHOWN_TO_OPERATOR = {
  ...SHOWN_TO_TEAM,
  promptTemplate: TEXT_SCHEMA,
  firstMessageTemplate: TEXT_SCHEMA,
  carrierSettings: ANY_OBJECT_SCHEMA,
};

const AGENT = objectOf<VoiceAgentResource>('VoiceAgentResource', SHOWN_TO_OPERATOR);

const WRITTEN_AGENT = objectOf<WrittenVoiceAgent>(
  'WrittenVoiceAgent',
  {
    ...SHOWN_TO_OPERATOR,
    warnings: described(
      WARNINGS_SCHEMA,
      'Placeholders of the templates that are not closed or not known. Absent if there are none.',
    ),
  },
  { optional: ['warnings'] },
);

const TEAM_AGENT = objectOf<TeamVoiceAgent>('VoiceAgent', {
  agentId: described(UUID_SCHEMA, 'The same as `id`.'),
  ...SHOWN_TO_TEAM,
});

const IN_USE: JsonSchema = {
  title: 'AgentInUse',
  type: 'object',
  properties: {
    error: TEXT_SCHEMA,
    reason: { type: 'string', const: 'AGENT_IN_USE' },
    campaigns: described(
      listOf(UUID_SCHEMA),
      'The ids of the campaigns that use the agent, the oldest first.',
    ),
  },
  required: ['error', 'reason', 'campaigns'],
};

const OPERATIONS: OperationsOf<VoiceAgentRoutes> = {
  create: {
    id: 'createVoiceAgent',
    summary: 'Create a voice agent',
    success: { description: 'The agent.', schema: WRITTEN_AGENT },
  },
  get: {
    id: 'getVoiceAgent',
    summary: 'Read a voice agent',
    success: { description: 'The agent.', schema: AGENT },
  },
  update: {
    id: 'updateVoiceAgent',
    summary: 'Change a voice agent; fields that are not sent stay unchanged',
    description:
      'A call uses the agent as it is when the call is due. The change therefore also applies to waiting calls.',
    success: { description: 'The agent.', schema: WRITTEN_AGENT },
  },
  delete: {
    id: 'deleteVoiceAgent',
    summary: 'Delete a voice agent; calls that are already accepted are still placed',
    success: { description: 'The agent is deleted.' },
    refusals: {
      409: {
        description:
          'A campaign that is not archived uses the agent: in its current version, its draft, a version with live enrollments, or the target ' +
          'of a version migration.',
        schema: IN_USE,
        examples: {
          inUse: {
            error: 'The voice agent is in use by campaigns: c4a8b0a4-1f70-4a6c-9b35-77d9a3c5e201',
            reason: 'AGENT_IN_USE',
            campaigns: ['c4a8b0a4-1f70-4a6c-9b35-77d9a3c5e201'],
          },
        },
      },
    },
  },
};

export const TEAM_VOICE_AGENTS_OPENAPI = documented(
  VoiceAgentsController,
  { surface: 'team', tag: 'Agents and numbers' },
  {
    list: {
      id: 'listVoiceAgentsByKey',
      summary: 'List the team’s voice agents, the newest first',
      success: { description: 'A page of agents.', schema: pageOfItems(TEAM_AGENT, 'VoiceAgentPage') },
    },
    ...byKey(OPERATIONS),
  },
);

export const VOICE_AGENTS_OPENAPI = documented(
  VoiceAgentsAdminController,
  { surface: 'operator', tag: 'Operator: voice agents' },
  {
    list: {
      id: 'listVoiceAgents',
      summary: 'List a team’s voice agents',
      success: { description: 'A page of agents.', schema: pageOfItems(AGENT, 'VoiceAgentResourcePage') },
    },
    ...OPERATIONS,
  },
);
