import { CreateTeam, UpdateTeam } from '../../teams/team.dto.js';
import { TeamsService } from '../../teams/teams.service.js';
import { type Command, type FieldsOf, optional, pageOutput, record } from '../command.js';
import { flag, list, text, wholeNumber } from '../field-kinds.js';

const CLEARS = { clears: true };

const FIELDS: FieldsOf<CreateTeam> = {
  name: text('<text>', 'what people call it', { required: true }),
  timezone: text('<zone>', 'such as America/New_York; UTC unless told'),
  defaultCountry: text('<code>', 'how numbers in national form are read, such as US', CLEARS),
  allowedCountries: list('<codes>', 'the only countries that may be dialed, such as US,CA', CLEARS),
  whitelistOnly: flag('dial the numbers of the whitelist alone; --no-whitelist-only dials all'),
  monthlyCallLimit: wholeNumber('calls in a calendar month, UTC', CLEARS),
  numberDailyLimit: wholeNumber('calls to one number in 24 hours', CLEARS),
  numberWeeklyLimit: wholeNumber('calls to one number in 7 days', CLEARS),
  numberMonthlyLimit: wholeNumber('calls to one number in 30 days', CLEARS),
  maxConcurrentCalls: wholeNumber('calls under way at a time; further ones wait', CLEARS),
  paused: flag('dial nobody for the team; --no-paused dials again'),
};

export const TEAM_COMMANDS: readonly Command[] = [
  {
    name: 'team create',
    summary: 'Make a team',
    fields: FIELDS,
    run: async ({ service, body }) => record(await service(TeamsService).create(body(CreateTeam))),
  },
  {
    name: 'team list',
    summary: 'List the teams',
    paged: true,
    run: async ({ service, page }) => {
      const teams = await service(TeamsService).list(page());
      return pageOutput(teams, 'id', 'name', 'timezone', 'monthlyCallLimit', 'paused', 'createdAt');
    },
  },
  {
    name: 'team show',
    summary: 'Show a team with all its limits',
    args: ['id'],
    run: async ({ service, arg }) => record(await service(TeamsService).get(arg('id'))),
  },
  {
    name: 'team update',
    summary: 'Change what is named of a team, and nothing else',
    args: ['id'],
    fields: optional(FIELDS),
    run: async ({ service, arg, body }) =>
      record(await service(TeamsService).update(arg('id'), body(UpdateTeam))),
  },
  {
    name: 'team pause',
    summary: 'Dial nobody for a team; requests are accepted all the same',
    args: ['id'],
    run: async ({ service, arg }) => record(await service(TeamsService).setPaused(arg('id'), true)),
  },
  {
    name: 'team resume',
    summary: 'Dial again for a team',
    args: ['id'],
    run: async ({ service, arg }) => record(await service(TeamsService).setPaused(arg('id'), false)),
  },
];
