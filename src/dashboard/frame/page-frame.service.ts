import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { mayDo, type Permission } from '../../domain/permissions.js';
import { isTimeZone, timeZoneFault } from '../../domain/zones/time-zone.js';
import { invalid, notFound } from '../../http/app-error.js';
import { type PageElement } from '../../http/html-page.js';
import { isUuid } from '../../http/validators.js';
import { type PageRequest, RefusedPage, refusalText } from './form.js';
import { PlatformService } from '../../platform/platform.service.js';
import { ONE_TEAM, type TeamRow, TEAMS, TEAMS_OF } from './teams.sql.js';

/** The parts that every page shows around its content, and the parameters of its content. */
export interface Frame {
  now: Date;
  /** Whether everything is paused. */
  paused: boolean;
  teams: TeamRow[];
  /** The team of the address; on pages of the platform, the chosen team. */
  team: TeamRow | null;
  /** Whether the page is one of a team, or of the platform with all teams. */
  scope: 'team' | 'platform';
  /** The beginning of the addresses of this scope, such as `/platform`. */
  base: string;
  /** The zone of all times on the page. */
  zone: string;
  request: PageRequest;
  /** Why the address of the page is refused; null if it is not. */
  problem: string | null;
}

/** Whether the viewer may do this where the page is. Buttons and forms of other things are not shown. */
export function may({ request: { role } }: Pick<Frame, 'request'>, permission: Permission): boolean {
  return mayDo(role, permission);
}

/** The parameter `teamId` of addresses: on pages of the platform, the chosen team. */
export function chosenTeam({ scope, team }: Frame): string | undefined {
  return scope === 'platform' ? team?.id : undefined;
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
    const scope = request.teamId === null ? 'platform' : 'team';
    const chosen = request.teamId ?? teamId;
    const [{ now, paused }, teams] = await Promise.all([this.platform.state(), this.teamsOf(request)]);
    const team = chosen === null ? null : await this.team(teams, chosen);
    const base = request.teamId === null ? '/platform' : `/t/${request.teamId}`;
    const asked = request.parameter('timezone');
    const fault = asked === null ? null : timeZoneFault(asked);
    if (fault !== null) throw invalid(`timezone ${fault}`);
    // A person or a team may still have a name that was accepted before the zone data decided.
    const zone = asked ?? [request.viewer?.timezone, team?.timezone].find(isTimeZone) ?? 'UTC';
    return { now, paused, teams, team, scope, base, zone, request, problem: null };
  }

  /**
   * Like {@link of}. If the zone of the address is refused, the frame ignores zone and team, and tells the
   * problem.
   *
   * @param anyTeam whether this holds for an unknown team, too. @throws AppError `NOT_FOUND` for the team.
   */
  async tolerant(
    request: PageRequest,
    teamId = request.parameter('teamId'),
    { anyTeam = false } = {},
  ): Promise<Frame> {
    try {
      return await this.of(request, teamId);
    } catch (error) {
      const text = refusalText(error);
      const isZone = text.startsWith('timezone');
      if (!isZone && !anyTeam) throw error;
      const problem = isZone ? text : 'teamId must be the id of a team';
      const parameter = (name: string) =>
        name === 'teamId' || name === 'timezone' ? null : request.parameter(name);
      return { ...(await this.of({ ...request, parameter }, null)), problem };
    }
  }

  /** The teams that the viewer may open. */
  private async teamsOf({ viewer }: PageRequest): Promise<TeamRow[]> {
    if (viewer === null) return [];
    if (viewer.operator) return this.dataSource.query<TeamRow[]>(TEAMS);
    return this.dataSource.query<TeamRow[]>(TEAMS_OF, [viewer.memberships.map(({ teamId }) => teamId)]);
  }

  private async team(teams: TeamRow[], id: string): Promise<TeamRow> {
    const listed = teams.find((team) => team.id === id);
    if (listed !== undefined) return listed;
    const [team] = isUuid(id) ? await this.dataSource.query<TeamRow[]>(ONE_TEAM, [id]) : [];
    if (team === undefined) throw notFound('Team');
    return team;
  }
}

/**
 * What a page reads for its address. If the address is refused, the frame of the page tells the problem, and
 * the page shows `otherwise`.
 */
export async function readOrRefuse<T, Otherwise>(
  frame: Frame,
  otherwise: Otherwise,
  read: () => Promise<T>,
): Promise<[Frame, T | Otherwise]> {
  if (frame.problem !== null) return [frame, otherwise];
  try {
    return [frame, await read()];
  } catch (error) {
    return [{ ...frame, problem: refusalText(error) }, otherwise];
  }
}

/** The answer with a page: a refused one if its address is refused. */
export function answerOf({ problem }: Frame, page: PageElement): PageElement | RefusedPage {
  return problem === null ? page : new RefusedPage(page);
}
