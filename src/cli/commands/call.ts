import { CallListService } from '../../calls/records/call-list.service.js';
import { type CallResource } from '../../calls/records/calls-admin.service.js';
import { type Cancellations } from '../../calls/records/cancel-calls.dto.js';
import { type ReplayedDecision, ReplayService } from '../../calls/records/replay.service.js';
import { type RuleDifference } from '../../domain/compliance/replay.js';
import { CALL_COLUMNS } from '../../calls/records/calls.service.js';
import { PlatformService } from '../../platform/platform.service.js';
import { type TeamResource } from '../../teams/team.dto.js';
import { type Command, type Invocation, type Output } from '../command.js';
import { callOutput, explainCall } from '../explain.js';
import { exportCommand } from '../export-command.js';
import { fieldOptions } from '../field-options.js';
import { operationCommand } from '../operation-command.js';
import { optionName } from '../options.js';
import { UsageError } from '../usage-error.js';

const WHICH = fieldOptions('cancelCalls', { without: ['teamId', 'dryRun'] });

async function cancelOne({ send, arg, option }: Invocation): Promise<Output> {
  const filter = Object.entries(WHICH).find(([name]) => option(name) !== undefined);
  if (filter !== undefined)
    throw new UsageError(`Give the id of a call or --${optionName(...filter)}, not both`);
  return callOutput(await send<CallResource>('cancelTeamCall', { id: arg('[id]') }));
}

/** Counts the calls first; `--yes` cancels them, in as many requests as it takes. */
async function cancelMatching({ send, fields, flag }: Invocation): Promise<Output> {
  const counted = await send<Cancellations>('cancelCalls', { ...fields(), dryRun: true });
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
    last = await send<Cancellations>('cancelCalls', fields());
    canceled += last.canceled;
  } while (last.remaining > 0 && last.canceled > 0);
  const value = { matching, canceled, remaining: last.remaining };
  return { kind: 'text', text: `${callsText(canceled)} canceled.`, value };
}

function replayText(decisions: readonly ReplayedDecision[]): string {
  if (decisions.length === 0) return 'No decision about the call was judged by packs.';
  return decisions.flatMap(decisionText).join('\n');
}

function decisionText({ at, tzdata, missing, same, differences, today }: ReplayedDecision): string[] {
  const zones = tzdata.kept === tzdata.now ? tzdata.kept : `${tzdata.kept}, now ${tzdata.now}`;
  if (same === null) return [`${at}: the facts were erased with the contact.`];
  return [
    `${at}: ${same ? 'the same' : 'differs'} by the packs and zone data of that date (zone data ${zones}).`,
    ...(tzdata.missing ? [`  The zone data ${tzdata.kept} are not kept; those of today are used.`] : []),
    ...missing.map((pack) => `  The version of the pack ${pack} is not kept.`),
    ...differences.map(differenceText),
    today.length === 0 ? '  Those of today say the same.' : '  Those of today differ:',
    ...today.map(differenceText),
  ];
}

const differenceText = ({ rule, kept, now }: RuleDifference): string =>
  `  ${rule}: ${kept ?? 'not in force'}, now ${now ?? 'not in force'}`;

const callsText = (count: number) => `${count} ${count === 1 ? 'call' : 'calls'}`;

const COLUMNS = ['phoneNumber', 'status', 'reason', 'acceptedAt', 'runsAt'];

export const CALL_COMMANDS: readonly Command[] = [
  operationCommand({
    name: 'call list',
    operation: 'listCalls',
    columns: ['id', ...COLUMNS],
    columnsByKey: ['callRequestId', ...COLUMNS],
  }),
  exportCommand('call', 'calls', CALL_COLUMNS, 'exportCalls', ({ service, teamId }) => {
    const calls = service(CallListService);
    return (page) => calls.list(teamId, page);
  }),
  operationCommand({
    name: 'call show',
    operation: 'getTeamCall',
    summary: 'Show a call with its history and decisions',
    args: { id: 'id' },
    show: callOutput,
  }),
  {
    name: 'call explain',
    summary: 'Tell why a call was dialed or was not',
    operations: ['getTeamCall', 'getTeam'],
    args: ['id'],
    team: true,
    run: async ({ service, send, arg }) => {
      const call = await send<CallResource>('getTeamCall', { id: arg('id') });
      const { paused: team } = await send<TeamResource>('getTeam');
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
    name: 'call replay',
    summary:
      'Judge the kept decisions about a call again, by the packs and zone data of their date and of today',
    args: ['id'],
    team: true,
    run: async ({ service, teamId, arg }) => {
      const decisions = await service(ReplayService).of(teamId, arg('id'));
      const failed = decisions.some(({ same }) => same === false);
      return {
        kind: 'text',
        text: replayText(decisions),
        value: { callRequestId: arg('id'), decisions },
        failed,
      };
    },
  },
  {
    name: 'call cancel',
    summary: 'Cancel a call, or all that match, if they have not been dialed yet',
    operations: ['cancelTeamCall', 'cancelCalls'],
    args: ['[id]'],
    team: true,
    fields: WHICH,
    options: { yes: { help: 'cancel the calls that match; without it, they are counted' } },
    run: (call) => (call.arg('[id]') === '' ? cancelMatching(call) : cancelOne(call)),
  },
  operationCommand({
    name: 'call hang-up',
    operation: 'hangUpTeamCall',
    summary: 'Hang up a call in progress',
    args: { id: 'id' },
    show: callOutput,
  }),
  operationCommand({
    name: 'call resolve',
    operation: 'resolveCall',
    summary: 'Record the outcome of a call that may have been dialed (dial_unknown)',
    args: { id: 'id' },
    show: callOutput,
  }),
];
