import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Viewer } from '../../people/viewer.js';

/** Two of the teams, and whether they have had no call. */
const FIRST_TEAMS = `
  SELECT t.id, NOT EXISTS (SELECT FROM call_requests c WHERE c.team_id = t.id) AS "isNew" FROM teams t ORDER BY t.id LIMIT 2`;

/** Where a person begins. */
@Injectable()
export class StartService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * The team that the person saw last, while it is still the person's.
   *
   * @returns the address of the page to begin at; null: the person has a choice of teams, or no team.
   */
  async beginningOf({ operator, memberships, lastTeamId }: Viewer): Promise<string | null> {
    if (memberships.some(({ teamId }) => teamId === lastTeamId)) return `/t/${lastTeamId}`;
    if (operator) {
      if (lastTeamId !== null && (await this.exists(lastTeamId))) return `/t/${lastTeamId}`;
      const [first, second] = await this.dataSource.query<{ id: string; isNew: boolean }[]>(FIRST_TEAMS);
      if (first === undefined) return '/platform/teams';
      // The only team is set up first.
      return first.isNew && second === undefined ? `/t/${first.id}` : '/platform';
    }
    const [first, second] = memberships;
    return first !== undefined && second === undefined ? `/t/${first.teamId}` : null;
  }

  private async exists(teamId: string): Promise<boolean> {
    return (await this.dataSource.query<object[]>('SELECT FROM teams WHERE id = $1', [teamId])).length > 0;
  }
}
