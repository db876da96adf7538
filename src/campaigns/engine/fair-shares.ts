/** A campaign with due enrollments, as Postgres returns it. */
export interface DueRow extends Record<string, unknown> {
  id: string;
  team_id: string;
  weight: number;
}

/** A campaign with due enrollments. */
export interface DueCampaign {
  id: string;
  teamId: string;
  /** Its share among the campaigns of its team, 1 to 100. */
  weight: number;
}

/**
 * Fair scheduling of a team's campaigns by weight. A campaign's virtual time advances by 1/weight with each
 * dial, and the campaign with the least virtual time is next. A campaign that had nothing due starts at the
 * least virtual time of the others, so it gets no extra share.
 */
export class FairShares {
  private readonly times = new Map<string, number>();

  /** @returns the campaigns of the next `count` enrollments, in the order in which they are served. */
  share(campaigns: readonly DueCampaign[], count: number): string[] {
    const known = campaigns.flatMap(({ id }) => this.times.get(id) ?? []);
    const begin = known.length === 0 ? 0 : Math.min(...known);
    for (const { id } of campaigns) if (!this.times.has(id)) this.times.set(id, begin);
    const times = new Map(this.times);
    return Array.from({ length: campaigns.length === 0 ? 0 : count }, () => {
      const next = furthestBehind(campaigns, times);
      times.set(next.id, (times.get(next.id) ?? 0) + 1 / next.weight);
      return next.id;
    });
  }

  /** Advances the virtual time of the campaign after one dial. */
  spend({ id, weight }: DueCampaign): void {
    this.times.set(id, (this.times.get(id) ?? 0) + 1 / weight);
  }

  /** Forgets all campaigns except `ids`. */
  keepOnly(ids: ReadonlySet<string>): void {
    for (const id of this.times.keys()) if (!ids.has(id)) this.times.delete(id);
  }
}

function furthestBehind(campaigns: readonly DueCampaign[], times: ReadonlyMap<string, number>): DueCampaign {
  const timeOf = ({ id }: DueCampaign) => times.get(id) ?? 0;
  return campaigns.reduce((first, campaign) => (timeOf(campaign) < timeOf(first) ? campaign : first));
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
