import { PlatformService } from '../../platform/platform.service.js';
import { type Stop } from '../../platform/stops/stop.dto.js';
import { countMovingCalls } from '../../calls/recovery/moving-calls.js';
import { Transactions } from '../../database/transactions.js';
import { type Restore } from '../../restore/resume.service.js';
import { type Command, done, record } from '../command.js';
import { operationCommand } from '../operation-command.js';

/** The text about a stop. @param paused tells what is paused. */
export function stopped(paused: string, { hungUp, cannotHangUp, remaining }: Stop): string {
  const counts = `Calls hung up: ${hungUp}; carrier cannot hang up: ${cannotHangUp}; remaining: ${remaining}.`;
  return `${paused} ${counts}${remaining > 0 ? ' Repeat the command.' : ''}`;
}

export const PLATFORM_COMMANDS: readonly Command[] = [
  operationCommand({ name: 'platform show', operation: 'getPlatform' }),
  operationCommand({ name: 'platform update', operation: 'updatePlatform' }),
  {
    name: 'zones',
    summary: 'Show the version of the zone data, and which zones and how many pending calls it moves',
    run: async ({ service }) => {
      const { changed, ...zones } = await service(PlatformService).zones();
      return record({ ...zones, callsToMove: await countMovingCalls(service(Transactions)), changed });
    },
  },
  operationCommand({
    name: 'platform restore',
    operation: 'getRestore',
    summary: 'Show a restore of the database after which the platform was not resumed yet',
    show: ({ restore }: { restore: Restore | null }) =>
      restore === null ? done('There is none.', { restore }) : record(restore),
  }),
  operationCommand({
    name: 'audit list',
    operation: 'listAudit',
    columns: ['at', 'actorKind', 'actorName', 'address', 'action', 'targetId'],
  }),
  operationCommand({
    name: 'pause',
    operation: 'pausePlatform',
    show: (answer) => done('Paused: no calls are dialed for any team.', answer),
  }),
  operationCommand({
    name: 'stop',
    operation: 'stopPlatform',
    show: (answer: Stop) => done(stopped('Paused: no calls are dialed for any team.', answer), answer),
  }),
  operationCommand({
    name: 'resume',
    operation: 'resumePlatform',
    summary: 'Resume dialing, except for teams that are paused themselves',
    show: (answer) => done('Resumed.', answer),
  }),
];
