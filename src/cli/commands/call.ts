import { CallListService } from '../../calls/records/call-list.service.js';
import { type CallFilter, CallsAdminService } from '../../calls/records/calls-admin.service.js';
import { CancelCalls, type Cancellations } from '../../calls/records/cancel-calls.dto.js';
import { Resolution, RESOLUTIONS } from '../../calls/records/resolution.dto.js';
import { CALL_COLUMNS } from '../../calls/records/calls.service.js';
import { PlatformService } from '../../operations/platform.service.js';
import { TeamsService } from '../../teams/teams.service.js';
import { PENDING_STATES } from '../../domain/call-states.js';
import { type Command, type FieldsOf, type Invocation, type Output, pageOutput } from '../command.js';
import { callOutput, explainCall } from '../explain.js';
import { exportCommand } from '../export-command.js';
import { text } from '../field-kinds.js';
import { optionName } from '../options.js';
import { UsageError } from '../usage-error.js';

const RESOLUTION: FieldsOf<Resolution> = {
  outcome: text('<status>', `outcome: ${RESOLUTIONS.join(', ')}`, { required: true }),
};

const WHICH: FieldsOf<Omit<CancelCalls, 'dryRun'>> = {
  status: text('<status>', `only calls in this state: ${PENDING_STATES.join(', ')}`),
  agentId: text('<id>', 'only of this voice agent'),
  phoneNumber: text('<number>', 'only to this number'),
  acceptedFrom: text('<time>', 'only accepted then or later, such as 2027-03-28T09:00:00Z'),
  acceptedTo: text('<time>', 'only accepted before'),
};

async function cancelOne({ service, teamId, arg, option }: Invocation): Promise<Output> {
  const filter = Object.keys(WHICH).find((name) => option(name) !== undefined);
  if (filter !== undefined)
    throw new UsageError(`Give the id of a call or --${optionName(filter)}, not both`);
  return callOutput(await service(CallsAdminService).cancel(teamId, arg('[id]')));
}

/** Counts the calls first; `--yes` cancels them, in as many requests as it takes. */
async function cancelMatching({ service, teamId, body, flag }: Invocation): Promise<Output> {
  const calls = service(CallsAdminService);
  const counted = await calls.cancelMatching(teamId, body(CancelCalls, { dryRun: true }));
  const { matching } = counted;
  if (!flag('yes')) {
    const text =
      matching === 0
        ? 'No pending call matches.'
        : `${callsText(matching)} can be canceled. --yes cancels them.`;
    return { kind: 'text', text, value: counted };
  }
  let canceled = 0;
  let last: Cancellations;
  do {
    last = await calls.cancelMatching(teamId, body(CancelCalls));
    canceled += last.canceled;
  } while (last.remaining > 0 && last.canceled > 0);
  const value = { matching, canceled, remaining: last.remaining };
  return { kind: 'text', text: `${callsText(canceled)} canceled.`, value };
}

const callsText = (count: number) => `${count} ${count === 1 ? 'call' : 'calls'}`;

const FILTERS = {
  status: { value: '<status>', help: 'such as scheduled, blocked or dial_unknown' },
  phoneNumber: { value: '<number>', help: 'only to this number' },
  agentId: { value: '<id>', help: 'only of this voice agent' },
  campaignId: { value: '<id>', help: 'only those that this campaign dials' },
  acceptedFrom: { value: '<time>', help: 'accepted then or later, such as 2027-03-28T09:00:00Z' },
  acceptedTo: { value: '<time>', help: 'accepted before' },
};

export const CALL_COMMANDS: readonly Command[] = [
  {
    name: 'call list',
    summary: 'List calls, the newest first',
    team: true,
    paged: true,
    filters: { ...FILTERS, reason: { value: '<reason>', help: 'such as DO_NOT_CALL' } },
    run: async ({ service, teamId, page }) => {
      const calls = await service(CallsAdminService).list(teamId, page<CallFilter>());
      return pageOutput(calls, 'id', 'phoneNumber', 'status', 'reason', 'acceptedAt', 'runsAt');
    },
  },
  exportCommand(
    'call',
    'calls',
    CALL_COLUMNS,
    { ...FILTERS, contactId: { value: '<id>', help: 'only to this contact' } },
    ({ service, teamId }) => {
      const calls = service(CallListService);
      return (page) => calls.list(teamId, page);
    },
  ),
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
    summary: 'Cancel a call, or all that match, if they have not been dialed yet',
    args: ['[id]'],
    team: true,
    fields: WHICH,
    options: { yes: { help: 'cancel the calls that match; without it, they are counted' } },
    run: (call) => (call.arg('[id]') === '' ? cancelMatching(call) : cancelOne(call)),
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
