import { Injectable } from '@nestjs/common';
import { team } from '../../database/team-scope.js';
import { query, Transactions } from '../../database/transactions.js';
import { addDuration, parseDuration } from '../../domain/campaigns/duration.js';
import {
  END_MIGRATION,
  FIND_MIGRATING,
  type MigratingEnrollmentRow,
  MIGRATING_PAGE,
  type MigratingVersionRow,
  MOVE_TO_VERSION,
} from './version-migration.sql.js';

/** The most enrollments that one transaction moves. */
const PAGE = 500;

/**
 * Moves the live enrollments of versions that are being migrated, page by page. During a migration, the
 * engine decides no enrollment of the campaign. So no enrollment enters a step that the new version does not
 * have.
 */
@Injectable()
export class VersionMigrationService {
  constructor(private readonly transactions: Transactions) {}

  /**
   * Moves the enrollments whose rows are not locked, until `signal` aborts.
   * @returns how many it has moved. @throws the database's error; the pages before the error stay moved.
   */
  async run(signal: AbortSignal): Promise<number> {
    const versions = await this.transactions.autocommit<MigratingVersionRow>(query(FIND_MIGRATING));
    let total = 0;
    for (const version of versions) {
      for (let moved = PAGE; moved > 0 && !signal.aborted; total += moved)
        moved = await this.movePage(version);
    }
    return total;
  }

  private movePage(version: MigratingVersionRow): Promise<number> {
    const { id, team_id: teamId, migrates_to: to } = version;
    const own = this.transactions.within(team(teamId));
    return own.run<number>([query(MIGRATING_PAGE, teamId, id, PAGE)], ([page]) => {
      const rows = (page?.rows ?? []) as MigratingEnrollmentRow[];
      if (rows.length === 0) return { commit: [query(END_MIGRATION, teamId, id)], value: () => 0 };
      const moves = rows.map((row) => ({ id: row.id, not_before: notBefore(row, version) }));
      return { commit: [query(MOVE_TO_VERSION, JSON.stringify(moves), to)], value: () => rows.length };
    });
  }
}

/**
 * The instant before which the new version does not dial the enrollment: the next attempt by the old version.
 * Null if the old version has no next attempt, or if the attempt depends on a change or a call.
 */
function notBefore(
  row: MigratingEnrollmentRow,
  { first_after, agent_timezone }: MigratingVersionRow,
): Date | null {
  if (row.decided) return row.next_attempt_at;
  const after = first_after === null ? undefined : parseDuration(first_after);
  if (after === undefined) return null;
  return addDuration(row.created_at, after, row.contact_timezone ?? agent_timezone ?? 'UTC');
}
