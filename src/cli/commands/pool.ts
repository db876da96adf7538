import { CreateNumberPool, UpdateNumberPool } from '../../phone-numbers/number-pool.dto.js';
import { NumberPoolsService } from '../../phone-numbers/number-pools.service.js';
import { type Command, type FieldsOf, optional, pageOutput, record } from '../command.js';
import { list, text } from '../field-kinds.js';

const FIELDS: FieldsOf<CreateNumberPool> = {
  name: text('<text>', 'what people call it', { required: true }),
  phoneNumbers: list('<numbers>', 'numbers of the team, separated by commas', { required: true }),
};

export const POOL_COMMANDS: readonly Command[] = [
  {
    name: 'pool create',
    summary: 'Create a pool of numbers to call from',
    team: true,
    fields: FIELDS,
    run: async ({ service, teamId, body }) =>
      record(await service(NumberPoolsService).create(teamId, body(CreateNumberPool))),
  },
  {
    name: 'pool list',
    summary: 'List the pools',
    team: true,
    paged: true,
    run: async ({ service, teamId, page }) => {
      const pools = await service(NumberPoolsService).list(teamId, page());
      return pageOutput(pools, 'id', 'name', 'phoneNumbers', 'createdAt');
    },
  },
  {
    name: 'pool update',
    summary: 'Change the given fields of a pool; --phone-numbers replaces all its numbers',
    args: ['id'],
    team: true,
    fields: optional(FIELDS),
    run: async ({ service, teamId, arg, body }) =>
      record(await service(NumberPoolsService).update(teamId, arg('id'), body(UpdateNumberPool))),
  },
];
