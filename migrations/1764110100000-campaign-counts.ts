import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { createFunctions } from '../src/database/repeatable.js';

/**
 * The counts of campaigns. Triggers record each change in the transaction that writes the enrollments, as
 * rows of their own. A second session counts the enrollments that exist: its snapshot is taken while the
 * triggers are created and no writer is active. Nothing is therefore counted twice, and no writer waits for
 * the count.
 */
export class CampaignCounts1764110100000 implements MigrationInterface {
  name = 'CampaignCounts1764110100000';
  transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query('SET lock_timeout = 200');
    for (const statement of TABLES) await db.query(statement);
    await createFunctions(db, ['enrollment_counts', 'count_enrollments']);
    const counter = db.connection.createQueryRunner();
    try {
      await db.query('BEGIN');
      try {
        for (const statement of TRIGGERS) await db.query(statement);
        await db.query('DELETE FROM campaign_count_changes');
        await counter.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
        // Its snapshot is that of its first statement.
        await counter.query('DELETE FROM campaign_counts');
        await db.query('COMMIT');
      } catch (error) {
        await db.query('ROLLBACK');
        throw error;
      }
      await counter.query(COUNT_ALL);
      await counter.query('COMMIT');
    } catch (error) {
      await counter.query('ROLLBACK').catch(() => undefined);
      for (const statement of NO_TRIGGERS) await db.query(statement);
      throw error;
    } finally {
      await counter.release();
    }
    await db.query(EARLIER_CALLS);
  }

  async down(db: QueryRunner): Promise<void> {
    for (const statement of NO_TRIGGERS) await db.query(statement);
    await db.query(
      'DROP FUNCTION IF EXISTS count_enrollments, fold_campaign_counts, enrollment_counts, count_call',
    );
    await db.query('DROP TABLE campaign_count_changes, campaign_counts');
    await db.query('ALTER TABLE enrollments DROP COLUMN calls');
  }
}

const TABLES = [
  `ALTER TABLE enrollments ADD COLUMN IF NOT EXISTS calls jsonb NOT NULL DEFAULT '{}'`,
  `CREATE TABLE IF NOT EXISTS campaign_counts (
     campaign_id uuid NOT NULL,
     version_id uuid NOT NULL,
     kind text NOT NULL,
     name text NOT NULL,
     team_id uuid NOT NULL,
     n integer NOT NULL,
     CONSTRAINT pk_campaign_counts PRIMARY KEY (campaign_id, version_id, kind, name)
   )`,
  `CREATE TABLE IF NOT EXISTS campaign_count_changes (
     campaign_id uuid NOT NULL,
     id uuid NOT NULL DEFAULT gen_random_uuid(),
     version_id uuid NOT NULL,
     kind text NOT NULL,
     name text NOT NULL,
     team_id uuid NOT NULL,
     n integer NOT NULL,
     CONSTRAINT pk_campaign_count_changes PRIMARY KEY (campaign_id, id)
   )`,
  'GRANT SELECT ON campaign_counts, campaign_count_changes TO outdial_app',
];

const TRIGGERS = [
  `CREATE TRIGGER count_inserted AFTER INSERT ON enrollments
     REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_enrollments()`,
  `CREATE TRIGGER count_updated AFTER UPDATE ON enrollments
     REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_enrollments()`,
];

const NO_TRIGGERS = [
  'DROP TRIGGER IF EXISTS count_inserted ON enrollments',
  'DROP TRIGGER IF EXISTS count_updated ON enrollments',
];

const COUNT_ALL = `
  INSERT INTO campaign_counts (campaign_id, team_id, version_id, kind, name, n)
  SELECT e.campaign_id, e.team_id, e.version_id, c.kind, c.name, sum(c.n)
  FROM enrollments e CROSS JOIN LATERAL enrollment_counts(e.status, e.waiting_for, e.end_reason, e.calls) c
  GROUP BY 1, 2, 3, 4, 5`;

/** The calls of enrollments that were dialed before this migration. The trigger counts them. */
const EARLIER_CALLS = `
  UPDATE enrollments e SET calls = dialed.calls
  FROM (
    SELECT enrollment_id, jsonb_object_agg(outcome, n) AS calls
    FROM (
      SELECT d.enrollment_id, count(*) AS n, CASE
        WHEN c.status IN ('dialing', 'in_progress') THEN 'under_way'
        WHEN c.status = 'dial_unknown' THEN 'unknown'
        ELSE coalesce(c.status, 'failed') END AS outcome
      FROM enrollment_dials d LEFT JOIN call_requests c ON c.id = d.call_request_id
      WHERE c.processed_at IS NOT NULL OR c.id IS NULL
      GROUP BY 1, 3) outcomes
    GROUP BY 1) dialed
  WHERE e.id = dialed.enrollment_id AND e.calls = '{}'`;
