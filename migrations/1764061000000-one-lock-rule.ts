import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The repeatable functions `needs_exclusive_lock` and `try_locks` hold the lock rule. Two functions that
 * repeated it are dropped; no process of the version before uses them. An index-only scan counts the pending
 * calls of each status.
 */
export class OneLockRule1764061000000 implements MigrationInterface {
  name = 'OneLockRule1764061000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('DROP FUNCTION IF EXISTS lock_free_of_calls, lock_free_of_keys');
    await replaceIndex(db, 'expires_at, status');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP FUNCTION IF EXISTS needs_exclusive_lock, try_locks, counted_calls');
    await replaceIndex(db, 'expires_at');
  }
}

/** The old one is dropped last: an exclusive lock before would keep readers out while the new one is made. */
async function replaceIndex(db: QueryRunner, columns: string): Promise<void> {
  await db.query(
    `CREATE INDEX ix_call_requests_expiring_new ON call_requests (${columns})
     WHERE status IN ('scheduled', 'queued') AND ended_at IS NULL`,
  );
  await db.query('DROP INDEX ix_call_requests_expiring');
  await db.query('ALTER INDEX ix_call_requests_expiring_new RENAME TO ix_call_requests_expiring');
}
