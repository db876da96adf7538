import { type Weighted } from '../../fairness/weighted-shares.js';

/** A campaign with due enrollments, as Postgres returns it. */
export interface DueRow extends Record<string, unknown> {
  id: string;
  team_id: string;
  weight: number;
}

/** A campaign with due enrollments. Its weight is its share among the campaigns of its team, 1 to 100. */
export interface DueCampaign extends Weighted {
  teamId: string;
}

/** The due campaigns of each team. */
export function teamsOf(rows: readonly DueRow[]): DueCampaign[][] {
  const teams = new Map<string, DueCampaign[]>();
  for (const { id, team_id: teamId, weight } of rows) {
    const team = teams.get(teamId) ?? [];
    teams.set(teamId, team);
    team.push({ id, teamId, weight });
  }
  return [...teams.values()];
}
