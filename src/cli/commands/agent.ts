import { CreateVoiceAgent, UpdateVoiceAgent } from '../../voice-agents/voice-agent.dto.js';
import { VoiceAgentsService } from '../../voice-agents/voice-agents.service.js';
import { type Command, done, type FieldsOf, optional, pageOutput, record } from '../command.js';
import { json, list, longText, text } from '../field-kinds.js';

const CLEARS = { clears: true };

const FIELDS: FieldsOf<CreateVoiceAgent> = {
  name: text('<text>', 'what people call it', { required: true }),
  timezone: text('<zone>', 'zone of the calling hours, such as America/New_York', { required: true }),
  callingHours: json(
    'when the agent may dial, such as {"monday":[{"start":"09:00","end":"17:00"}]}; or the word any',
    { required: true },
    { any: null },
  ),
  closedDates: list('<dates>', 'days without dialing, such as 2026-12-25,2027-01-01'),
  promptTemplate: longText('prompt, with {{contact.name}} and other placeholders'),
  firstMessageTemplate: longText('first message, with the same placeholders'),
  outboundPhoneNumber: text('<number>', 'number to call from', CLEARS),
  numberPoolId: text('<id>', 'pool to call from, which wins over the number', CLEARS),
  carrier: text('<name>', 'carrier that dials; CARRIER unless given', CLEARS),
  carrierSettings: json('settings of the carrier, see docs/carriers.md'),
};

export const AGENT_COMMANDS: readonly Command[] = [
  {
    name: 'agent create',
    summary: 'Create a voice agent',
    team: true,
    fields: FIELDS,
    run: async ({ service, teamId, body }) =>
      record(await service(VoiceAgentsService).create(teamId, body(CreateVoiceAgent))),
  },
  {
    name: 'agent list',
    summary: 'List the voice agents',
    team: true,
    paged: true,
    run: async ({ service, teamId, page }) => {
      const agents = await service(VoiceAgentsService).list(teamId, page());
      return pageOutput(agents, 'id', 'name', 'timezone', 'outboundPhoneNumber', 'numberPoolId', 'carrier');
    },
  },
  {
    name: 'agent show',
    summary: 'Show a voice agent with its hours and templates',
    args: ['id'],
    team: true,
    run: async ({ service, teamId, arg }) => record(await service(VoiceAgentsService).get(teamId, arg('id'))),
  },
  {
    name: 'agent update',
    summary: 'Change the given fields of a voice agent; waiting calls use them, too',
    args: ['id'],
    team: true,
    fields: optional(FIELDS),
    run: async ({ service, teamId, arg, body }) =>
      record(await service(VoiceAgentsService).update(teamId, arg('id'), body(UpdateVoiceAgent))),
  },
  {
    name: 'agent delete',
    summary: 'Delete a voice agent that no campaign uses; accepted calls are still placed',
    args: ['id'],
    team: true,
    run: async ({ service, teamId, arg }) => {
      await service(VoiceAgentsService).delete(teamId, arg('id'));
      return done('Deleted: no new call names this agent.', { id: arg('id'), deleted: true });
    },
  },
];
