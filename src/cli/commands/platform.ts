import { PlatformService } from '../../operations/platform.service.js';
import { type Command, done } from '../command.js';

export const PLATFORM_COMMANDS: readonly Command[] = [
  {
    name: 'pause',
    summary: 'Dial nobody at all; requests are accepted all the same',
    run: async ({ service }) =>
      done('Paused: nobody is dialed for any team.', await service(PlatformService).setPaused(true)),
  },
  {
    name: 'resume',
    summary: 'Dial again, except for teams that are paused themselves',
    run: async ({ service }) => done('Resumed.', await service(PlatformService).setPaused(false)),
  },
];
