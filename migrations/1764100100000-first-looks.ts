import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Rows of one statement, so that no lock is held for long. */
const PAGE = 10_000;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * Enrollments of versions that place calls, which were written without `look_at` before it had a default, are
 * found page by page and decided by the engine.
 */
export class FirstLooks1764100100000 implements MigrationInterface {
  name = 'FirstLooks1764100100000';
  transaction = false;

  async up(db: QueryRunner): Promise<void> {
    for (let after: string | null = BEFORE_ALL; after !== null;) {
      const [row] = (await db.query(LOOK_AT_PAGE, [after, PAGE])) as { last: string | null }[];
      after = row?.last ?? null;
    }
  }

  /** Which they were is not kept, and the engine has decided them. */
  async down(): Promise<void> {}
}

const LOOK_AT_PAGE = `
  WITH page AS MATERIALIZED (
    SELECT id, version_id, status, look_at FROM enrollments WHERE id > $1 ORDER BY id LIMIT $2
  ), looked_at AS (
    UPDATE enrollments e SET look_at = outdial_now()
    FROM page JOIN campaign_versions v ON v.id = page.version_id
    WHERE e.id = page.id AND page.look_at IS NULL AND page.status IN ('active', 'paused')
      AND v.definition_format IS NOT NULL AND v.definition #> '{steps,0}' IS NOT NULL
      AND e.look_at IS NULL AND e.status IN ('active', 'paused')
  )
  SELECT (SELECT id FROM page ORDER BY id DESC LIMIT 1) AS last`;
