import { Injectable } from '@nestjs/common';
import { DataSource, type Repository } from 'typeorm';
import { Config } from '../config/config.js';
import { Packs } from '../compliance/packs/packs.service.js';
import { changedCompliance, type SentComplianceSetting } from '../domain/compliance/setting.js';
import { pageByCreation } from '../lists/keyset.js';
import { changeRow, findRow, sentFields, idsNamed } from '../lists/rows.js';
import { type RetentionDays } from '../domain/retention.js';
import { INITIAL_TEAM_SETTINGS, type SentTeamSettings } from '../domain/team-settings.js';
import { AppError, invalid } from '../http/app-error.js';
import { type Page, type PageRequest } from '../http/page.js';
import { recountPlanUsage } from './plan-usage.js';
import {
  type CreateTeam,
  teamColumns,
  type TeamResource,
  teamResource,
  type UpdateTeam,
} from './team.dto.js';
import { Team } from './team.entity.js';

/** The tenants and their limits. */
@Injectable()
export class TeamsService {
  private readonly teams: Repository<Team>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly config: Config,
    private readonly packs: Packs,
  ) {
    this.teams = dataSource.getRepository(Team);
  }

  async list(request: PageRequest): Promise<Page<TeamResource>> {
    return pageByCreation(this.teams.createQueryBuilder('t'), request, await this.resources());
  }

  /**
   * The row of the team, for services whose rows belong to a team.
   *
   * @throws AppError `NOT_FOUND`.
   */
  find(teamId: string): Promise<Team> {
    return findRow(this.teams, { id: teamId }, 'Team');
  }

  /** @returns ids of the teams with this name, as {@link idsNamed}. */
  async idsNamed(name: string): Promise<string[]> {
    return idsNamed(this.teams.createQueryBuilder('r'), name);
  }

  /** @throws AppError `NOT_FOUND`. */
  async get(teamId: string): Promise<TeamResource> {
    return this.resource(await this.find(teamId));
  }

  /**
   * A setting that was not sent has its value of `INITIAL_TEAM_SETTINGS`, or of the deployment; null that was sent stays null.
   *
   * @throws AppError `INVALID_REQUEST` for an unknown pack.
   */
  async create(fields: CreateTeam): Promise<TeamResource> {
    this.checkPacks(fields.compliance);
    const compliance = changedCompliance(
      { mode: this.config.complianceDefaultMode },
      fields.compliance ?? {},
    );
    const settings = { ...INITIAL_TEAM_SETTINGS, ...sentFields(fields), compliance };
    const { id } = await this.teams.save(this.teams.create(teamColumns(settings)));
    return this.get(id);
  }

  /**
   * Changes the fields that were sent, and of `compliance` the keys that were. A new monthly limit also counts the earlier
   * calls of the month.
   *
   * @throws AppError `NOT_FOUND`; `INVALID_REQUEST` for an unknown pack.
   */
  async update(teamId: string, fields: UpdateTeam): Promise<TeamResource> {
    const setsLimit = typeof fields.monthlyCallLimit === 'number';
    const { compliance } = fields;
    this.checkPacks(compliance);
    const team = await this.dataSource.transaction(async (manager) => {
      const teams = manager.getRepository(Team);
      const changed: SentTeamSettings = { ...fields };
      if (compliance !== undefined) {
        await findRow(teams, { id: teamId }, 'Team');
        // The lock of the row keeps other changes out, so none is lost.
        const before = await teams.findOne({ where: { id: teamId }, lock: { mode: 'pessimistic_write' } });
        changed.compliance = changedCompliance(before?.compliance ?? {}, compliance);
      }
      if (setsLimit) {
        await findRow(teams, { id: teamId }, 'Team');
        await recountPlanUsage(manager, teamId);
      }
      const pausedByKey = fields.paused === undefined ? undefined : false;
      return changeRow(teams, { id: teamId }, { ...teamColumns(changed), pausedByKey }, 'Team');
    });
    return this.resource(team);
  }

  /**
   * While a team is paused, none of its calls is dialed; requests are still accepted.
   *
   * @throws AppError `NOT_FOUND`.
   */
  async setPaused(teamId: string, paused: boolean): Promise<TeamResource> {
    const fields = { paused, pausedByKey: false };
    return this.resource(await changeRow(this.teams, { id: teamId }, fields, 'Team'));
  }

  /** Pauses the team by its own key. A pause by the operator stays the operator's. */
  async pauseByKey(teamId: string): Promise<void> {
    await this.dataSource.transaction((manager) =>
      manager.query(
        'UPDATE teams SET paused_by_key = paused_by_key OR NOT paused, paused = true WHERE id = $1',
        [teamId],
      ),
    );
  }

  /** Ends a pause by the team's own key. @throws AppError `CONFLICT` if the operator paused the team. */
  async resumeByKey(teamId: string): Promise<void> {
    const { affected } = await this.dataSource.transaction((manager) =>
      manager.update(
        Team,
        [
          { id: teamId, pausedByKey: true },
          { id: teamId, paused: false },
        ],
        { paused: false, pausedByKey: false },
      ),
    );
    if (affected === 0) throw new AppError('CONFLICT', 'The operator has paused the team, and can resume it');
  }

  private checkPacks({ packs }: SentComplianceSetting = {}): void {
    if (packs === undefined || packs === 'auto') return;
    const at = packs.findIndex((name) => this.packs.get(name) === undefined);
    if (at < 0) return;
    throw invalid(`compliance.packs[${at}] must be the name of a pack that is loaded`);
  }

  private async resource(team: Team): Promise<TeamResource> {
    return (await this.resources())(team);
  }

  /**
   * Returns a function that makes the resource of a team. A team without days of its own gets those of the
   * platform.
   */
  private async resources(): Promise<(team: Team) => TeamResource> {
    const [platform] = await this.dataSource.query<Record<keyof RetentionDays, number>[]>(
      `SELECT call_retention_days AS "callRetentionDays", event_retention_days AS "eventRetentionDays"
       FROM platform_settings`,
    );
    if (platform === undefined) throw new Error('platform_settings is empty');
    return (team) => teamResource(team, platform);
  }
}
