import { IsOptional } from 'class-validator';
import {
  IsCountry,
  IsCountryList,
  IsFlag,
  IsName,
  IsWholeNumber,
  MayBeAbsent,
} from '../http/operator-validators.js';
import { IsTimeZone } from '../http/validators.js';
import { type Team } from './team.entity.js';

/** Body of a new team. Limits of `null` are no limit. */
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

  @MayBeAbsent()
  @IsFlag()
  paused?: boolean;

  @MayBeAbsent()
  @IsFlag()
  retryWithinRedialWindow?: boolean;
}

/** Body of a change: what is absent stays. */
export class UpdateTeam extends CreateTeam {
  @MayBeAbsent()
  declare name: string;
}

/** A team as the operator reads it. */
export type TeamResource = Omit<Team, 'createdAt'> & { createdAt: string };

export function teamResource(team: Team): TeamResource {
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
    paused: team.paused,
    retryWithinRedialWindow: team.retryWithinRedialWindow,
    createdAt: team.createdAt.toISOString(),
  };
}
