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
  TEXT_SCHEMA,
  UUID_SCHEMA,
} from '../http/json-schema.js';
import { documented, pageOfItems } from '../http/openapi/operation.js';
import { CALLING_HOURS_SCHEMA, CLOSED_DATES_SCHEMA } from './calling-hours.schema.js';
import { CreateVoiceAgent, UpdateVoiceAgent, type VoiceAgentResource } from './voice-agent.dto.js';
import { type TeamVoiceAgent } from './team-voice-agents.service.js';
import { VoiceAgentsController } from './voice-agents.controller.js';
import { VoiceAgentsAdminController } from './voice-agents-admin.controller.js';

const HOURS =
  'The windows of local time in which the agent may dial, by the weekday on which they start; null is any time.';
const DATES = 'Local dates on which no window starts, and into which none reaches.';

describeBody([CreateVoiceAgent, UpdateVoiceAgent], {
  name: { description: 'Display name.', examples: ['Reminders'] },
  timezone: 'IANA time zone, for contacts whose own is unknown.',
  callingHours: {
    description: `${HOURS} Must be sent, even as null.`,
    examples: [{ monday: [{ start: '09:00', end: '17:00' }] }],
  },
  closedDates: DATES,
  promptTemplate: {
    description:
      'A template with placeholders: `{{contact.name}}` and the other fields of the contact, custom properties, and variables.',
    examples: ['You are calling {{contact.name}} about order {{order}}.'],
  },
  firstMessageTemplate: 'What the agent says first: a template with the same placeholders.',
  outboundPhoneNumber: 'The default caller ID: a number of the team. The pool takes precedence.',
  numberPoolId: 'The default pool of caller IDs, of the team.',
  carrier:
    'The carrier by which it dials, which must be configured; null is the default carrier of the deployment.',
  carrierSettings: 'Settings of its carrier, which checks them when they are written; replaced as a whole.',
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
  createdAt: INSTANT_SCHEMA,
};

const AGENT = objectOf<VoiceAgentResource>('VoiceAgentResource', {
  ...SHOWN_TO_TEAM,
  promptTemplate: TEXT_SCHEMA,
  firstMessageTemplate: TEXT_SCHEMA,
  carrierSettings: ANY_OBJECT_SCHEMA,
});

const TEAM_AGENT = objectOf<TeamVoiceAgent>('VoiceAgent', {
  agentId: described(UUID_SCHEMA, 'The same as `id`.'),
  ...SHOWN_TO_TEAM,
});

export const TEAM_VOICE_AGENTS_OPENAPI = documented(
  VoiceAgentsController,
  { surface: 'team', tag: 'Agents and numbers' },
  {
    list: {
      id: 'listVoiceAgentsByKey',
      summary: 'List the team’s voice agents, the newest first',
      success: { description: 'A page of agents.', schema: pageOfItems(TEAM_AGENT, 'VoiceAgentPage') },
    },
  },
);

const IN_USE: JsonSchema = {
  title: 'AgentInUse',
  type: 'object',
  properties: {
    error: TEXT_SCHEMA,
    reason: { type: 'string', const: 'AGENT_IN_USE' },
    campaigns: described(listOf(UUID_SCHEMA), 'The campaigns, oldest first.'),
  },
  required: ['error', 'reason', 'campaigns'],
};

export const VOICE_AGENTS_OPENAPI = documented(
  VoiceAgentsAdminController,
  { surface: 'operator', tag: 'Operator: voice agents' },
  {
    list: {
      id: 'listVoiceAgents',
      summary: 'List a team’s voice agents',
      success: { description: 'A page of agents.', schema: pageOfItems(AGENT, 'VoiceAgentResourcePage') },
    },
    create: {
      id: 'createVoiceAgent',
      summary: 'Create a voice agent',
      success: { description: 'The agent.', schema: AGENT },
    },
    get: {
      id: 'getVoiceAgent',
      summary: 'Read a voice agent',
      success: { description: 'The agent.', schema: AGENT },
    },
    update: {
      id: 'updateVoiceAgent',
      summary: 'Change a voice agent; the change applies from the next firing, also to waiting calls',
      success: { description: 'The agent.', schema: AGENT },
    },
    delete: {
      id: 'deleteVoiceAgent',
      summary: 'Delete a voice agent; calls that were accepted before are still placed',
      success: { description: 'The agent is deleted.' },
      refusals: {
        409: {
          description:
            'A live version of a campaign names the agent: the current version, a draft, or a version with live enrollments.',
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
  },
);
