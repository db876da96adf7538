import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Rows of one statement, so that no lock is held for long. */
const PAGE = 10_000;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * What earlier versions have left: dials of ended enrollments whose calls retention has removed, and live
 * enrollments that were no longer decided because the agent of their step was deleted. Both are found page by
 * page.
 */
export class DialsOfRemovedCalls1764160000000 implements MigrationInterface {
  name = 'DialsOfRemovedCalls1764160000000';
  transaction = false;

  async up(db: QueryRunner): Promise<void> {
    let dial: LastDial | undefined = { id: BEFORE_ALL, seq: 0 };
    while (dial !== undefined) {
      const rows = (await db.query(REMOVE_PAGE, [dial.id, dial.seq, PAGE])) as LastDial[];
      dial = rows[0];
    }
    let enrollment: string | undefined = BEFORE_ALL;
    while (enrollment !== undefined) {
      const rows = (await db.query(LOOK_AT_PAGE, [enrollment, PAGE])) as { id: string }[];
      enrollment = rows[0]?.id;
    }
  }

  /** What was removed belonged to nothing. */
  async down(): Promise<void> {}
}

interface LastDial {
  id: string;
  seq: number;
}

const REMOVE_PAGE = `
  WITH page AS MATERIALIZED (
    SELECT enrollment_id, seq, call_request_id FROM enrollment_dials
    WHERE (enrollment_id, seq) > ($1, $2) ORDER BY enrollment_id, seq LIMIT $3
  ), left_over AS MATERIALIZED (
    SELECT page.enrollment_id, page.seq FROM page JOIN enrollments e ON e.id = page.enrollment_id
    WHERE e.status NOT IN ('active', 'paused')
      AND NOT EXISTS (SELECT FROM call_requests r WHERE r.id = page.call_request_id)
  ), removed AS (
    DELETE FROM enrollment_dials d USING left_over
    WHERE d.enrollment_id = left_over.enrollment_id AND d.seq = left_over.seq
  )
  SELECT enrollment_id AS id, seq FROM page ORDER BY enrollment_id DESC, seq DESC LIMIT 1`;

/** An enrollment that waits for something, such as the end of a pause, is decided when that is over. */
const LOOK_AT_PAGE = `
  WITH page AS MATERIALIZED (
    SELECT id, version_id, status, look_at, waiting_for FROM enrollments WHERE id > $1 ORDER BY id LIMIT $2
  ), looked_at AS (
    UPDATE enrollments e SET look_at = outdial_now()
    FROM page JOIN campaign_versions v ON v.id = page.version_id
    WHERE e.id = page.id AND page.look_at IS NULL AND page.waiting_for IS NULL AND page.status IN ('active', 'paused')
      AND v.definition_format IS NOT NULL AND v.definition #> '{steps,0}' IS NOT NULL
      AND e.look_at IS NULL AND e.waiting_for IS NULL AND e.status IN ('active', 'paused')
  )
  SELECT id FROM page ORDER BY id DESC LIMIT 1`;
