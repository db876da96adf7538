import { type FireFactsRow } from './fire.sql.js';

interface Changes {
  counted: number;
  claimed: number;
  /** Calls that wait for a line since then. */
  waiting: FireFactsRow[];
  /** Calls that waited for a line, and have one now. */
  served: FireFactsRow[];
}

/**
 * What the firings before one in its batch have come to for their teams: its facts were read before that is stored. What they may
 * have given back is left out: it is given back only if the row is still the one that was judged.
 */
export class EarlierFirings {
  /** How often their claims have picked each caller ID. */
  readonly picks = new Map<string, number>();
  private readonly teams = new Map<string, Changes>();

  /** A firing that found no line free. */
  addWaiting(row: FireFactsRow): void {
    if (!row.waiting) this.changesOf(row).waiting.push(row);
  }

  addClaim(row: FireFactsRow, callerId: string): void {
    this.picks.set(callerId, (this.picks.get(callerId) ?? 0) + 1);
    const changes = this.changesOf(row);
    changes.claimed += 1;
    if (!row.counted_this_month) changes.counted += 1;
    if (row.waiting) changes.served.push(row);
  }

  private changesOf({ team_id: teamId }: FireFactsRow): Changes {
    const changes = this.teams.get(teamId) ?? { counted: 0, claimed: 0, waiting: [], served: [] };
    this.teams.set(teamId, changes);
    return changes;
  }

  adjust(row: FireFactsRow): FireFactsRow {
    const changes = this.teams.get(row.team_id);
    if (changes === undefined) return row;
    const older = (rows: FireFactsRow[]) => rows.filter((other) => isOlder(other, row)).length;
    return {
      ...row,
      plan_used: (row.plan_used ?? 0) + changes.counted,
      busy_lines: (row.busy_lines ?? 0) + changes.claimed,
      older_waiting: (row.older_waiting ?? 0) + older(changes.waiting) - older(changes.served),
    };
  }
}

function isOlder(one: FireFactsRow, other: FireFactsRow): boolean {
  const [at, otherAt] = [one.runs_at.getTime(), other.runs_at.getTime()];
  return at < otherAt || (at === otherAt && one.id < other.id);
}
