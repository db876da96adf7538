import { type MigrationInterface, type QueryRunner } from 'typeorm';

const INDEXES = [
  ['ix_enrollments_newest', '(campaign_id, status, created_at, entry, id)'],
  [
    'ix_enrollments_newest_waiting',
    '(campaign_id, waiting_for, created_at, entry, id) WHERE waiting_for IS NOT NULL',
  ],
] as const;

/** As the migrations before this one made them. */
const INDEXES_OF_BEFORE = [
  ['ix_enrollments_status', '(campaign_id, status, contact_id)'],
  ['ix_enrollments_waiting', '(campaign_id, waiting_for, contact_id) WHERE waiting_for IS NOT NULL'],
] as const;

/**
 * Serves the lists of a campaign's enrollments, the newest first. Built concurrently, so outside a
 * transaction. The indexes of the lists by contact stay until no process of the version before is left: see
 * `replaced-indexes.ts`.
 */
export class NewestEnrollments1764180000000 implements MigrationInterface {
  name = 'NewestEnrollments1764180000000';
  transaction = false;

  async up(db: QueryRunner): Promise<void> {
    for (const [name, definition] of INDEXES) {
      // One that a failed run left is invalid.
      await db.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await db.query(`CREATE INDEX CONCURRENTLY ${name} ON enrollments ${definition}`);
    }
  }

  /** For a stopped deployment. */
  async down(db: QueryRunner): Promise<void> {
    for (const [name, definition] of INDEXES_OF_BEFORE) {
      await db.query(`CREATE INDEX IF NOT EXISTS ${name} ON enrollments ${definition}`);
    }
    for (const [name] of INDEXES) await db.query(`DROP INDEX IF EXISTS ${name}`);
  }
}
