import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The counts of campaigns, kept by triggers: in the transaction that moves enrollments, as rows of their own. What there is already is
 * counted by a session whose snapshot is taken while the triggers are made and no writer is under way, so that nothing is counted
 * twice and no writer waits for the count. The functions are repeatable scripts; the triggers need them, so they stand here as well.
 */
export class CampaignCounts1764110100000 implements MigrationInterface {
  name = 'CampaignCounts1764110100000';
  transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query('SET lock_timeout = 200');
    for (const statement of TABLES) await db.query(statement);
    for (const statement of FUNCTIONS) await db.query(statement);
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
    await db.query(CALLS_OF_BEFORE);
  }

  async down(db: QueryRunner): Promise<void> {
    for (const statement of NO_TRIGGERS) await db.query(statement);
    await db.query(MARK_UNKNOWN);
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

const FUNCTIONS = [
  `CREATE OR REPLACE FUNCTION enrollment_counts(status text, waiting_for text, end_reason text, calls jsonb)
  RETURNS TABLE(kind text, name text, n integer)
  LANGUAGE sql
  IMMUTABLE PARALLEL SAFE
AS $$
    SELECT 'live', coalesce(waiting_for, ''), 1 WHERE status IN ('active', 'paused')
    UNION ALL SELECT 'ended', coalesce(end_reason, 'manual'), 1 WHERE status NOT IN ('active', 'paused')
    UNION ALL SELECT 'attempted', '', 1 WHERE calls <> '{}'
    UNION ALL SELECT 'reached', '', 1 WHERE calls ? 'completed'
    UNION ALL SELECT 'attempt', key, value::integer FROM jsonb_each_text(calls) WHERE key <> 'under_way'
$$`,
  `CREATE OR REPLACE FUNCTION count_enrollments()
  RETURNS trigger
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path = public, pg_temp
AS $$ BEGIN
    IF TG_OP = 'INSERT' THEN
      INSERT INTO campaign_count_changes (campaign_id, team_id, version_id, kind, name, n)
      SELECT e.campaign_id, e.team_id, e.version_id, CASE WHEN e.status IN ('active', 'paused') THEN 'live' ELSE 'ended' END,
        CASE WHEN e.status IN ('active', 'paused') THEN coalesce(e.waiting_for, '') ELSE coalesce(e.end_reason, 'manual') END, count(*)
      FROM after e
      GROUP BY 1, 2, 3, 4, 5;
    ELSE
      INSERT INTO campaign_count_changes (campaign_id, team_id, version_id, kind, name, n)
      SELECT campaign_id, team_id, version_id, kind, name, sum(n)
      FROM (
        SELECT e.campaign_id, e.team_id, e.version_id, c.kind, c.name, -c.n AS n
        FROM before e CROSS JOIN LATERAL enrollment_counts(e.status, e.waiting_for, e.end_reason, e.calls) c
        UNION ALL
        SELECT e.campaign_id, e.team_id, e.version_id, c.kind, c.name, c.n
        FROM after e CROSS JOIN LATERAL enrollment_counts(e.status, e.waiting_for, e.end_reason, e.calls) c) changes
      GROUP BY 1, 2, 3, 4, 5
      HAVING sum(n) <> 0;
    END IF;
    RETURN NULL;
END $$`,
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

/** Calls of enrollments that were dialed before; the trigger counts them. */
const CALLS_OF_BEFORE = `
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

/** As it was, because the function of today names a column that goes. */
const MARK_UNKNOWN = `CREATE OR REPLACE FUNCTION mark_unknown(dialing_ms float8, in_progress_ms float8, batch integer)
  RETURNS TABLE(id uuid)
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path = public, pg_temp
AS $$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    silent AS (
      SELECT r.id FROM call_requests r CROSS JOIN clock
      WHERE r.ended_at IS NULL AND (
        r.status = 'dialing' AND r.claimed_at < clock.now - dialing_ms * interval '1 ms'
        OR r.status = 'in_progress' AND r.claimed_at < clock.now - in_progress_ms * interval '1 ms')
      ORDER BY r.claimed_at
      LIMIT batch
      FOR UPDATE OF r SKIP LOCKED
    ), marked AS (
      UPDATE call_requests r SET
        status = 'dial_unknown', reason = 'NO_WORD',
        variables = CASE WHEN starts_with(r.phone_number, 'erased:') THEN '{}' ELSE r.variables END,
        prompt = CASE WHEN NOT starts_with(r.phone_number, 'erased:') THEN r.prompt END,
        first_message = CASE WHEN NOT starts_with(r.phone_number, 'erased:') THEN r.first_message END,
        history = r.history || jsonb_build_object(
          'at', to_char(clock.now AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'from', r.status, 'to', 'dial_unknown', 'cause', 'no_word')
      FROM silent, clock
      WHERE r.id = silent.id
      RETURNING r.id, r.enrollment_id, r.status
    ), told AS (
      UPDATE enrollments e SET
        look_at = CASE WHEN e.status IN ('active', 'paused') THEN clock.now ELSE e.look_at END,
        timeline = e.timeline || jsonb_build_object(
          'at', to_char(clock.now AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'kind', 'call', 'callRequestId', m.id, 'status', m.status)
      FROM marked m, clock
      WHERE e.id = m.enrollment_id
        -- By the index, whatever the statistics say: a join may read the whole table.
        AND e.id = ANY(ARRAY(SELECT enrollment_id FROM marked))
    )
    SELECT marked.id FROM marked
$$`;
