import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Drops what only workers of unreleased versions used for campaigns: three functions, and two indexes that slow down
 * every write to an enrollment. The indexes are dropped concurrently, so outside a transaction.
 */
export class NoEarlierWorkers1764308000000 implements MigrationInterface {
  name = 'NoEarlierWorkers1764308000000';
  transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query(`DROP FUNCTION IF EXISTS ${FUNCTIONS.join(', ')}`);
    for (const name of Object.keys(INDEXES)) await db.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  }

  /** For a stopped deployment. The run of the version before creates its functions. */
  async down(db: QueryRunner): Promise<void> {
    for (const [name, definition] of Object.entries(INDEXES)) {
      await db.query(`CREATE INDEX IF NOT EXISTS ${name} ON enrollments ${definition}`);
    }
  }
}

const FUNCTIONS = ['find_due_campaigns', 'release_paused_enrollments', 'take_due_enrollments'];

const INDEXES = {
  ix_enrollments_due: `(campaign_id, look_at, id) WHERE status IN ('active', 'paused') AND look_at IS NOT NULL`,
  ix_enrollments_held: `(campaign_id, id) WHERE status = 'active' AND waiting_for = 'paused'`,
};
