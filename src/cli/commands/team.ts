import { CreateTeam, UpdateTeam } from '../../teams/team.dto.js';
import { TeamsService } from '../../teams/teams.service.js';
import { type Command, type FieldsOf, optional, pageOutput, record } from '../command.js';
import { days, flag, list, text, wholeNumber } from '../field-kinds.js';

const CLEARS = { clears: true };

const FIELDS: FieldsOf<CreateTeam> = {
  name: text('<text>', 'what people call it', { required: true }),
  timezone: text('<zone>', 'such as America/New_York; UTC unless given'),
  defaultCountry: text('<code>', 'country of numbers in national form, such as US', CLEARS),
  allowedCountries: list('<codes>', 'the only countries that may be dialed, such as US,CA', CLEARS),
  whitelistOnly: flag('dial only numbers on the whitelist; --no-whitelist-only dials all'),
  monthlyCallLimit: wholeNumber('calls in a calendar month, UTC', CLEARS),
  numberDailyLimit: wholeNumber('calls to one number in 24 hours', CLEARS),
  numberWeeklyLimit: wholeNumber('calls to one number in 7 days', CLEARS),
  numberMonthlyLimit: wholeNumber('calls to one number in 30 days', CLEARS),
  maxConcurrentCalls: wholeNumber('calls active at a time; further calls wait', CLEARS),
  callRetentionDays: days('days for which ended calls are kept, or platform for those of the platform'),
  eventRetentionDays: days('days for which events are kept, or platform'),
  paused: flag('stop dialing for the team; --no-paused resumes'),
  retryWithinRedialWindow: flag('campaigns may retry within 12 hours of their own unanswered calls'),
  acceptUnknownRanges: flag('accept numbers in ranges that are newer than this version'),
};

export const TEAM_COMMANDS: readonly Command[] = [
  {
    name: 'team create',
    summary: 'Create a team',
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
    run: async ({ service, teamNamed, arg }) =>
      record(await service(TeamsService).get(await teamNamed(arg('id')))),
  },
  {
    name: 'team update',
    summary: 'Change the given fields of a team',
    args: ['id'],
    fields: optional(FIELDS),
    run: async ({ service, teamNamed, arg, body }) =>
      record(await service(TeamsService).update(await teamNamed(arg('id')), body(UpdateTeam))),
  },
  {
    name: 'team pause',
    summary: 'Stop dialing for a team; its requests are still accepted',
    args: ['id'],
    run: async ({ service, teamNamed, arg }) =>
      record(await service(TeamsService).setPaused(await teamNamed(arg('id')), true)),
  },
  {
    name: 'team resume',
    summary: 'Resume dialing for a team',
    args: ['id'],
    run: async ({ service, teamNamed, arg }) =>
      record(await service(TeamsService).setPaused(await teamNamed(arg('id')), false)),
  },
];
