import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { isTimeZone, timeZoneFault } from '../../domain/zones/time-zone.js';
import { invalid, notFound } from '../../http/app-error.js';
import { isUuid } from '../../http/validators.js';
import { type PageRequest } from './form.js';
import { PlatformService } from '../platform.service.js';
import { type TeamRow, TEAMS } from './overview.sql.js';

/** The parts that every page shows around its content, and the parameters of its content. */
export interface Frame {
  now: Date;
  /** Whether everything is paused. */
  paused: boolean;
  teams: TeamRow[];
  /** The chosen team, or the only team. */
  team: TeamRow | null;
  /** The zone of all times on the page. */
  zone: string;
  request: PageRequest;
}

/** Reads what pages have in common. */
@Injectable()
export class PageFrame {
  constructor(
    private readonly dataSource: DataSource,
    private readonly platform: PlatformService,
  ) {}

  /**
   * @param teamId the team that the page is about; by default, the parameter `teamId` of the address.
   * @throws AppError `NOT_FOUND` for the team, `INVALID_REQUEST` for the zone.
   */
  async of(request: PageRequest, teamId = request.parameter('teamId')): Promise<Frame> {
    const [{ now, paused }, teams] = await Promise.all([
      this.platform.state(),
      this.dataSource.query<TeamRow[]>(TEAMS),
    ]);
    const team = teamId === null ? onlyOne(teams) : await this.team(teams, teamId);
    const asked = request.parameter('timezone');
    const fault = asked === null ? null : timeZoneFault(asked);
    if (fault !== null) throw invalid(`timezone ${fault}`);
    // A team may still have a name that was accepted before the zone data decided.
    const zone = asked ?? (isTimeZone(team?.timezone) ? team.timezone : 'UTC');
    return { now, paused, teams, team, zone, request };
  }

  private async team(teams: TeamRow[], id: string): Promise<TeamRow> {
    const listed = teams.find((team) => team.id === id);
    if (listed !== undefined) return listed;
    const [team] = isUuid(id)
      ? await this.dataSource.query<TeamRow[]>('SELECT id, name, timezone, paused FROM teams WHERE id = $1', [
          id,
        ])
      : [];
    if (team === undefined) throw notFound('Team');
    return team;
  }
}

function onlyOne(teams: TeamRow[]): TeamRow | null {
  const [team, ...others] = teams;
  return team !== undefined && others.length === 0 ? team : null;
}
