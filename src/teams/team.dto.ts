import { IsOptional } from 'class-validator';
import {
  MIN_CALL_DAYS,
  MIN_EVENT_DAYS,
  type RetentionDays,
  storedTeamDays,
  type TeamDays,
  teamDaysOf,
} from '../domain/retention.js';
import {
  IsCountry,
  IsCountryList,
  IsFlag,
  IsName,
  IsTeamDays,
  IsWholeNumber,
  MayBeAbsent,
} from '../http/operator-validators.js';
import { IsTimeZone } from '../http/validators.js';
import { type Team } from './team.entity.js';

/** Body of a new team. A limit of `null` is no limit. */
export class CreateTeam {
  @IsName()
  name: string;

  @MayBeAbsent()
  @IsTimeZone()
  timezone?: string;

  @IsOptional()
  @IsCountry()
  defaultCountry?: string | null;

  @IsOptional()
  @IsCountryList()
  allowedCountries?: string[] | null;

  @MayBeAbsent()
  @IsFlag()
  whitelistOnly?: boolean;

  @IsOptional()
  @IsWholeNumber(0)
  monthlyCallLimit?: number | null;

  @IsOptional()
  @IsWholeNumber(0)
  numberDailyLimit?: number | null;

  @IsOptional()
  @IsWholeNumber(0)
  numberWeeklyLimit?: number | null;

  @IsOptional()
  @IsWholeNumber(0)
  numberMonthlyLimit?: number | null;

  @IsOptional()
  @IsWholeNumber(1)
  maxConcurrentCalls?: number | null;

  @IsOptional()
  @IsTeamDays(MIN_CALL_DAYS)
  callRetentionDays?: TeamDays;

  @IsOptional()
  @IsTeamDays(MIN_EVENT_DAYS)
  eventRetentionDays?: TeamDays;

  @MayBeAbsent()
  @IsFlag()
  paused?: boolean;

  @MayBeAbsent()
  @IsFlag()
  retryWithinRedialWindow?: boolean;

  @MayBeAbsent()
  @IsFlag()
  acceptUnknownRanges?: boolean;
}

/** Body of a change: an absent field does not change. */
export class UpdateTeam extends CreateTeam {
  @MayBeAbsent()
  declare name: string;
}

/** The columns of the fields that were sent. */
export function teamColumns({ callRetentionDays, eventRetentionDays, ...fields }: CreateTeam | UpdateTeam) {
  const stored = (days: TeamDays | undefined) => (days === undefined ? undefined : storedTeamDays(days));
  return {
    ...fields,
    callRetentionDays: stored(callRetentionDays),
    eventRetentionDays: stored(eventRetentionDays),
  };
}

/** A team as the operator reads it. Its retention days are those that apply. */
export type TeamResource = Omit<Team, 'createdAt' | 'hasErasedNumbers'> & { createdAt: string };

/** @param platform the columns of the platform. */
export function teamResource(team: Team, platform: Record<keyof RetentionDays, number>): TeamResource {
  return {
    id: team.id,
    name: team.name,
    timezone: team.timezone,
    defaultCountry: team.defaultCountry,
    allowedCountries: team.allowedCountries,
    whitelistOnly: team.whitelistOnly,
    monthlyCallLimit: team.monthlyCallLimit,
    numberDailyLimit: team.numberDailyLimit,
    numberWeeklyLimit: team.numberWeeklyLimit,
    numberMonthlyLimit: team.numberMonthlyLimit,
    maxConcurrentCalls: team.maxConcurrentCalls,
    callRetentionDays: teamDaysOf(team.callRetentionDays, platform.callRetentionDays),
    eventRetentionDays: teamDaysOf(team.eventRetentionDays, platform.eventRetentionDays),
    paused: team.paused,
    retryWithinRedialWindow: team.retryWithinRedialWindow,
    acceptUnknownRanges: team.acceptUnknownRanges,
    createdAt: team.createdAt.toISOString(),
  };
}
