import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { problemsOf } from '../../http/app-error.js';
import { type PageElement } from '../../http/html-page.js';
import { validateBody } from '../../http/validation.js';
import { CreateTeam } from '../../teams/team.dto.js';
import { TeamsService } from '../../teams/teams.service.js';
import { startOfDay } from '../design/local-time.js';
import { type PageRequest, RefusedPage } from '../frame/form.js';
import { errorsOfRefusal, fieldErrors, type FieldErrors } from '../frame/form-errors.js';
import { listPage } from '../frame/list-page.js';
import { type Frame, PageFrame } from '../frame/page-frame.service.js';
import {
  COUNTED_OF_ALL,
  ENDED_OF_TEAMS,
  type EndedOfTeamRow,
  OPEN_OF_TEAMS,
  type OpenRow,
  OVERDUE_OF_TEAMS,
  type OverdueOfTeamRow,
  TEAMS_LISTED,
} from './teams.sql.js';
import { NEW_TEAM_FIELDS, type TeamLoad, teamsPage, type TeamsView, type TypedTeam } from './teams.view.js';

const UNTYPED = Object.fromEntries(NEW_TEAM_FIELDS.map(([name, , first]) => [name, first])) as TypedTeam;
const LABELS = Object.fromEntries(NEW_TEAM_FIELDS.map(([name, label]) => [name, label]));

/** The teams and their load side by side. */
@Injectable()
export class TeamsPageService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly frames: PageFrame,
    private readonly teams: TeamsService,
  ) {}

  async page(request: PageRequest): Promise<PageElement> {
    const frame = await this.frames.of(request);
    return teamsPage(frame, { ...(await this.read(frame)), typed: UNTYPED, errors: {} });
  }

  /** @returns the id of the new team, or the page with what is refused. */
  async create(request: PageRequest, typed: TypedTeam): Promise<string | RefusedPage> {
    const result = await this.add(typed);
    if (typeof result === 'string') return result;
    const frame = await this.frames.of(request);
    return new RefusedPage(teamsPage(frame, { ...(await this.read(frame)), typed, errors: result }));
  }

  private async add({ name, timezone, defaultCountry }: TypedTeam): Promise<string | FieldErrors> {
    const fields = { name, timezone: timezone.trim(), defaultCountry: defaultCountry || null };
    const checked = validateBody(CreateTeam, fields, { nulls: 'keep' });
    if (!checked.ok) return fieldErrors(problemsOf(checked), LABELS);
    try {
      return (await this.teams.create(checked.value)).id;
    } catch (error) {
      return errorsOfRefusal(error, LABELS);
    }
  }

  private async read({ request, now, zone }: Frame): Promise<Omit<TeamsView, 'typed' | 'errors'>> {
    const { items, nextCursor } = await this.teams.list(listPage(TEAMS_LISTED, request.parameter('cursor')));
    const [open, overdue, ended] = await Promise.all([
      this.dataSource.query<OpenRow[]>(OPEN_OF_TEAMS, [items.map(({ id }) => id)]),
      this.dataSource.query<OverdueOfTeamRow[]>(OVERDUE_OF_TEAMS, [now]),
      this.dataSource.query<EndedOfTeamRow[]>(ENDED_OF_TEAMS, [startOfDay(zone, now)]),
    ]);
    const sum = (rows: { calls: number }[]) => rows.reduce((calls, row) => calls + row.calls, 0);
    const teams = items.map((team): TeamLoad => {
      const of = open.find((row) => row.team === team.id);
      return {
        team,
        active: of?.active ?? 0,
        pending: of?.pending ?? 0,
        overdue: overdue.find((row) => row.team === team.id)?.calls ?? 0,
        ended: ended.filter((row) => row.team === team.id),
      };
    });
    return {
      teams,
      nextCursor,
      moreEnded: sum(ended) >= COUNTED_OF_ALL,
      moreOverdue: sum(overdue) >= COUNTED_OF_ALL,
    };
  }
}
