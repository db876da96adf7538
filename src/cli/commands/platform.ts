import { UpdatePlatform } from '../../operations/platform.dto.js';
import { PlatformService } from '../../operations/platform.service.js';
import { countMovingCalls } from '../../calls/recovery/moving-calls.js';
import { Transactions } from '../../database/transactions.js';
import { ResumeService } from '../../restore/resume.service.js';
import { type Command, done, type FieldsOf, record } from '../command.js';
import { days } from '../field-kinds.js';

const FIELDS: FieldsOf<UpdatePlatform> = {
  callRetentionDays: days('days for which ended calls are kept, of teams without days of their own'),
  eventRetentionDays: days('days for which events are kept, of teams without days of their own'),
};

export const PLATFORM_COMMANDS: readonly Command[] = [
  {
    name: 'platform show',
    summary: 'Show the settings of the deployment',
    run: async ({ service }) => record(await service(PlatformService).get()),
  },
  {
    name: 'platform update',
    summary: 'Change the given settings of the deployment',
    fields: FIELDS,
    run: async ({ service, body }) => record(await service(PlatformService).update(body(UpdatePlatform))),
  },
  {
    name: 'zones',
    summary: 'Show the version of the zone data, and which zones and how many pending calls it moves',
    run: async ({ service }) => {
      const { changed, ...zones } = await service(PlatformService).zones();
      return record({ ...zones, callsToMove: await countMovingCalls(service(Transactions)), changed });
    },
  },
  {
    name: 'platform restore',
    summary: 'Show a restore of the database after which the platform was not resumed yet',
    run: async ({ service }) => {
      const restore = await service(ResumeService).restore();
      return restore === null ? done('There is none.', { restore }) : record(restore);
    },
  },
  {
    name: 'pause',
    summary: 'Stop dialing for all teams; requests are still accepted',
    run: async ({ service }) =>
      done('Paused: no calls are dialed for any team.', await service(PlatformService).pause()),
  },
  {
    name: 'resume',
    summary: 'Resume dialing, except for teams that are paused themselves',
    options: { force: { help: 'also within 12 hours after the newest row of a restored database' } },
    run: async ({ service, flag }) => done('Resumed.', await service(ResumeService).resume(flag('force'))),
  },
];
