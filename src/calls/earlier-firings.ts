import { type FireFactsRow } from './sql/fire.sql.js';

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
  private readonly teams = new Map<string, Changes>();

  /** @param kind what came of the firing. */
  add(row: FireFactsRow, kind: 'claimed' | 'waiting'): void {
    const changes = this.teams.get(row.team_id) ?? { counted: 0, claimed: 0, waiting: [], served: [] };
    this.teams.set(row.team_id, changes);
    if (kind === 'waiting') {
      if (!row.waiting) changes.waiting.push(row);
      return;
    }
    changes.claimed += 1;
    if (!row.counted_this_month) changes.counted += 1;
    if (row.waiting) changes.served.push(row);
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
