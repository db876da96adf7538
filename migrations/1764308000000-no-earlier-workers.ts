import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Drops what only workers of earlier versions used for campaigns: their functions, and two indexes that slow down every
 * write to an enrollment. What those workers have held because of a pause becomes due again. The indexes are dropped concurrently,
 * so outside a transaction. Workers of earlier versions must not run any more.
 */
export class NoEarlierWorkers1764308000000 implements MigrationInterface {
  name = 'NoEarlierWorkers1764308000000';
  transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query(`DROP FUNCTION IF EXISTS ${FUNCTIONS.join(', ')}`);
    for (let released = PAGE; released === PAGE;) {
      const [row] = (await db.query(RELEASE_PAGE, [PAGE])) as { released: number }[];
      released = row?.released ?? 0;
    }
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

const PAGE = 5_000;

/** A campaign that is paused still holds them: a dial that is due waits until the campaign is active. */
const RELEASE_PAGE = `
  WITH held AS MATERIALIZED (
    SELECT id FROM enrollments
    WHERE status = 'active' AND waiting_for = 'paused' AND look_at IS NULL
    LIMIT $1
  ), released AS (
    UPDATE enrollments e SET look_at = outdial_now(), waiting_for = NULL
    FROM held WHERE e.id = held.id
    RETURNING 1
  )
  SELECT count(*)::integer AS released FROM released`;
