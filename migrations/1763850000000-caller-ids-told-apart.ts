import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The index by caller ID gets a condition that only queries for a caller ID meet. If the statistics had no
 * calls, as on the first day, Postgres used it instead of the index by number: each trigger then read all
 * calls of the team.
 */
export class CallerIdsToldApart1763850000000 implements MigrationInterface {
  name = 'CallerIdsToldApart1763850000000';

  async up(db: QueryRunner): Promise<void> {
    await replaceIndex(db, ' AND caller_id IS NOT NULL');
  }

  async down(db: QueryRunner): Promise<void> {
    await replaceIndex(db, '');
  }
}

async function replaceIndex(db: QueryRunner, known: string): Promise<void> {
  await db.query('DROP INDEX ix_call_requests_caller_id');
  await db.query(
    `CREATE INDEX ix_call_requests_caller_id ON call_requests (team_id, caller_id, processed_at)
       WHERE processed_at IS NOT NULL${known}`,
  );
}
