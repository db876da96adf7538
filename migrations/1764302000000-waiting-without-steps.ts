import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Rows of one statement, so that no lock is held for long. */
const PAGE = 10_000;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * Live enrollments whose version places no calls say so. New enrollments have the value from their creation
 * on.
 */
export class WaitingWithoutSteps1764302000000 implements MigrationInterface {
  name = 'WaitingWithoutSteps1764302000000';
  transaction = false;

  async up(db: QueryRunner): Promise<void> {
    let last: string | undefined = BEFORE_ALL;
    while (last !== undefined) {
      const rows = (await db.query(SAY_PAGE, [last, PAGE])) as { id: string }[];
      last = rows[0]?.id;
    }
  }

  /** Earlier versions show the value as any other. */
  async down(): Promise<void> {}
}

const SAY_PAGE = `
  WITH page AS MATERIALIZED (
    SELECT id, version_id, status, waiting_for FROM enrollments WHERE id > $1 ORDER BY id LIMIT $2
  ), said AS (
    UPDATE enrollments e SET waiting_for = 'no_steps'
    FROM page JOIN campaign_versions v ON v.id = page.version_id
    WHERE e.id = page.id AND page.waiting_for IS NULL AND page.status IN ('active', 'paused')
      AND (v.definition_format IS NULL OR v.definition #> '{steps,0}' IS NULL)
      AND e.waiting_for IS NULL AND e.status IN ('active', 'paused')
  )
  SELECT id FROM page ORDER BY id DESC LIMIT 1`;
