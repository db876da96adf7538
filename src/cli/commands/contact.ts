import { ErasureService } from '../../erasure/erasure.service.js';
import { type Command, done } from '../command.js';

export const CONTACT_COMMANDS: readonly Command[] = [
  {
    name: 'contact erase',
    summary: 'Erase a contact permanently; its calls stay without personal data',
    args: ['id'],
    team: true,
    run: async ({ service, teamId, arg }) => {
      await service(ErasureService).erase(teamId, arg('id'));
      return done('Erased.', { erased: arg('id') });
    },
  },
];
