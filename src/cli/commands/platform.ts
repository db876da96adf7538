import { PlatformService } from '../../operations/platform.service.js';
import { type Command, done } from '../command.js';

export const PLATFORM_COMMANDS: readonly Command[] = [
  {
    name: 'pause',
    summary: 'Stop dialing for all teams; requests are still accepted',
    run: async ({ service }) =>
      done('Paused: no calls are dialed for any team.', await service(PlatformService).setPaused(true)),
  },
  {
    name: 'resume',
    summary: 'Resume dialing, except for teams that are paused themselves',
    run: async ({ service }) => done('Resumed.', await service(PlatformService).setPaused(false)),
  },
];
