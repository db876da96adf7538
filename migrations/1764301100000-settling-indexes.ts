import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Rows of one statement, so that no lock is held for long. */
const PAGE = 10_000;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * The indexes of the two queues of the campaign engine. They are built concurrently, so outside a transaction. An
 * index that a failed run left invalid is dropped first. Then the enrollments that wait for a call, a result or the
 * end of a pause get `settle_at`, page by page: the dial queue alone would not serve them in time.
 */
export class SettlingIndexes1764301100000 implements MigrationInterface {
  name = 'SettlingIndexes1764301100000';
  transaction = false;

  async up(db: QueryRunner): Promise<void> {
    for (const [name, definition] of Object.entries(INDEXES)) {
      await db.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await db.query(`CREATE INDEX CONCURRENTLY ${name} ON enrollments ${definition}`);
    }
    for (let after: string | null = BEFORE_ALL; after !== null;) {
      const [row] = (await db.query(SETTLE_PAGE, [after, PAGE])) as { last: string | null }[];
      after = row?.last ?? null;
    }
  }

  async down(db: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await db.query(`DROP INDEX IF EXISTS ${name}`);
  }
}

const INDEXES = {
  ix_enrollments_settling: `(campaign_id, settle_at, id) WHERE status IN ('active', 'paused') AND settle_at IS NOT NULL`,
  ix_enrollments_dials: `(campaign_id, dial_rank, look_at, id) WHERE status = 'active' AND look_at IS NOT NULL`,
};

const SETTLE_PAGE = `
  WITH page AS MATERIALIZED (
    SELECT id, status, waiting_for, look_at, settle_at FROM enrollments WHERE id > $1 ORDER BY id LIMIT $2
  ), settling AS (
    UPDATE enrollments e SET settle_at = e.look_at
    FROM page
    WHERE e.id = page.id AND page.status IN ('active', 'paused') AND page.look_at IS NOT NULL AND page.settle_at IS NULL
      AND page.waiting_for IN ('in_call', 'outcome', 'result', 'paused')
      AND e.status IN ('active', 'paused') AND e.settle_at IS NULL
  )
  SELECT (SELECT id FROM page ORDER BY id DESC LIMIT 1) AS last`;
