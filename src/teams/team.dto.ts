import { complianceSettingOf, type SentComplianceSetting } from '../domain/compliance/setting.js';
import { type RetentionDays, storedTeamDays, type TeamDays, teamDaysOf } from '../domain/retention.js';
import { type SentTeamSettings, TEAM_SETTINGS, type TeamSettingValues } from '../domain/team-settings.js';
import { MayBeAbsent } from '../http/operator-validators.js';
import { IsTeamSetting } from './team-setting-rule.js';
import { type Team } from './team.entity.js';

/** Body of a new team. A limit of `null` is no limit. */
export class CreateTeam implements SentTeamSettings {
  @IsTeamSetting()
  name: string;

  @IsTeamSetting()
  timezone?: string;

  @IsTeamSetting()
  defaultCountry?: string | null;

  @IsTeamSetting()
  allowedCountries?: string[] | null;

  @IsTeamSetting()
  allowedCarriers?: string[] | null;

  @IsTeamSetting()
  whitelistOnly?: boolean;

  @IsTeamSetting()
  monthlyCallLimit?: number | null;

  @IsTeamSetting()
  numberDailyLimit?: number | null;

  @IsTeamSetting()
  numberWeeklyLimit?: number | null;

  @IsTeamSetting()
  numberMonthlyLimit?: number | null;

  @IsTeamSetting()
  maxConcurrentCalls?: number | null;

  @IsTeamSetting()
  callRetentionDays?: TeamDays;

  @IsTeamSetting()
  eventRetentionDays?: TeamDays;

  @IsTeamSetting()
  paused?: boolean;

  @IsTeamSetting()
  retryWithinRedialWindow?: boolean;

  @IsTeamSetting()
  acceptUnknownRanges?: boolean;

  @IsTeamSetting()
  doNotCallByPurpose?: boolean;

  @IsTeamSetting()
  compliance?: SentComplianceSetting;
}

/** Body of a change: an absent field does not change. */
export class UpdateTeam extends CreateTeam {
  @MayBeAbsent()
  declare name: string;
}

/** The settings that were sent, as their columns store them. */
export function teamColumns(sent: SentTeamSettings): Partial<TeamSettingValues> {
  const stored: Record<string, unknown> = {};
  for (const { name, kind } of TEAM_SETTINGS) {
    const value = sent[name];
    if (value === undefined) continue;
    stored[name] = kind.type === 'days' ? storedTeamDays(value as TeamDays) : value;
  }
  return stored;
}

/** A team as the operator reads it. Its retention days are those that apply. */
export type TeamResource = { id: string } & TeamSettingValues & { createdAt: string };

/** @param platform the columns of the platform. */
export function teamResource(team: Team, platform: Record<keyof RetentionDays, number>): TeamResource {
  const settings: Record<string, unknown> = {};
  for (const { name } of TEAM_SETTINGS) {
    const isDays = name === 'callRetentionDays' || name === 'eventRetentionDays';
    settings[name] = isDays ? teamDaysOf(team[name], platform[name]) : team[name];
  }
  settings.compliance = complianceSettingOf(team.compliance);
  return { id: team.id, ...(settings as TeamSettingValues), createdAt: team.createdAt.toISOString() };
}
