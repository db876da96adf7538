import { type CallFilter, CallsAdminService } from '../../calls/records/calls-admin.service.js';
import { CallsService } from '../../calls/records/calls.service.js';
import { Resolution, RESOLUTIONS } from '../../calls/records/resolution.dto.js';
import { PlatformService } from '../../operations/platform.service.js';
import { TeamsService } from '../../teams/teams.service.js';
import { type Command, type FieldsOf, pageOutput } from '../command.js';
import { callOutput, explainCall } from '../explain.js';
import { text } from '../field-kinds.js';

const RESOLUTION: FieldsOf<Resolution> = {
  outcome: text('<status>', `outcome: ${RESOLUTIONS.join(', ')}`, { required: true }),
};

export const CALL_COMMANDS: readonly Command[] = [
  {
    name: 'call list',
    summary: 'List calls, the newest first',
    team: true,
    paged: true,
    filters: {
      status: { value: '<status>', help: 'such as scheduled, blocked or dial_unknown' },
      phoneNumber: { value: '<number>', help: 'only to this number' },
      agentId: { value: '<id>', help: 'only of this voice agent' },
      campaignId: { value: '<id>', help: 'only those that this campaign dials' },
      reason: { value: '<reason>', help: 'such as DO_NOT_CALL' },
      acceptedFrom: { value: '<time>', help: 'accepted then or later, such as 2027-03-28T09:00:00Z' },
      acceptedTo: { value: '<time>', help: 'accepted before' },
    },
    run: async ({ service, teamId, page }) => {
      const calls = await service(CallsAdminService).list(teamId, page<CallFilter>());
      return pageOutput(calls, 'id', 'phoneNumber', 'status', 'reason', 'acceptedAt', 'runsAt');
    },
  },
  {
    name: 'call show',
    summary: 'Show a call with its history and decisions',
    args: ['id'],
    team: true,
    run: async ({ service, teamId, arg }) =>
      callOutput(await service(CallsAdminService).get(teamId, arg('id'))),
  },
  {
    name: 'call explain',
    summary: 'Tell why a call was dialed or was not',
    args: ['id'],
    team: true,
    run: async ({ service, teamId, arg }) => {
      const call = await service(CallsAdminService).get(teamId, arg('id'));
      const { paused: team } = await service(TeamsService).get(teamId);
      const { now, paused: platform } = await service(PlatformService).state();
      const lines = explainCall(call, { now, paused: { team, platform } });
      return {
        kind: 'text',
        text: lines.join('\n'),
        value: { callRequestId: call.id, status: call.status, explanation: lines },
      };
    },
  },
  {
    name: 'call cancel',
    summary: 'Cancel a call that has not been dialed yet',
    args: ['id'],
    team: true,
    run: async ({ service, teamId, arg }) =>
      callOutput(await service(CallsService).cancel(teamId, arg('id'))),
  },
  {
    name: 'call resolve',
    summary: 'Record the outcome of a call that may have been dialed (dial_unknown)',
    args: ['id'],
    team: true,
    fields: RESOLUTION,
    run: async ({ service, teamId, arg, body }) =>
      callOutput(await service(CallsAdminService).resolve(teamId, arg('id'), body(Resolution))),
  },
];
