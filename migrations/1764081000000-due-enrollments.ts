import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The indexes of the campaign engine. They are built concurrently, so outside a transaction. An index that a
 * failed run left invalid is dropped first.
 */
export class DueEnrollments1764081000000 implements MigrationInterface {
  name = 'DueEnrollments1764081000000';
  transaction = false;

  async up(db: QueryRunner): Promise<void> {
    for (const [name, definition] of Object.entries(INDEXES)) {
      await db.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await db.query(`CREATE INDEX CONCURRENTLY ${name} ON enrollments ${definition}`);
    }
  }

  async down(db: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await db.query(`DROP INDEX IF EXISTS ${name}`);
  }
}

const INDEXES = {
  /** What the engine looks at next, of each campaign. */
  ix_enrollments_due: `(campaign_id, look_at, id) WHERE status IN ('active', 'paused') AND look_at IS NOT NULL`,
  /** Held because the campaign, the team or the platform is paused. */
  ix_enrollments_held: `(campaign_id, id) WHERE status = 'active' AND waiting_for = 'paused'`,
};
