import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { createFunctions } from '../src/database/repeatable.js';

/**
 * From now on events are numbered in `event_batches`. While the table is locked, no transaction has written
 * an event and not committed it, so every event behind the highest position is written after this one.
 * Processes of the version before go on writing events. They read the numbers that they gave, and none that
 * are given from now on.
 */
export class NumbersApart1764270100000 implements MigrationInterface {
  name = 'NumbersApart1764270100000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('LOCK TABLE events IN SHARE ROW EXCLUSIVE MODE');
    // What is left are few rows of each team, which Postgres does not know.
    for (const way of ['seqscan', 'bitmapscan']) await db.query(`SET LOCAL enable_${way} = off`);
    await db.query(COPY_THE_REST);
    await db.query(
      `INSERT INTO event_gaps (first, last, found_by)
       SELECT e.position, e.position, 0 FROM events e WHERE e.sequence IS NULL
       UNION ALL
       SELECT coalesce((SELECT e.position FROM events e ORDER BY e.position DESC LIMIT 1), 0) + 1, 9223372036854775807, NULL`,
    );
    // It returns more.
    await db.query('DROP FUNCTION IF EXISTS claim_webhook_deliveries');
    await createFunctions(db, FUNCTIONS);
  }

  async down(db: QueryRunner): Promise<void> {
    // They name the tables. The run of the version before creates its own, and replaces the functions of
    // triggers.
    await db.query(`DROP FUNCTION IF EXISTS ${NEW_FUNCTIONS.join(', ')}`);
    await db.query('LOCK TABLE events IN SHARE ROW EXCLUSIVE MODE');
    await db.query(
      `UPDATE events SET data = to_jsonb(events) - ${OWN_COLUMNS} || jsonb_build_object('id', call_id) WHERE data IS NULL`,
    );
    await db.query(
      `UPDATE events e SET sequence = b.last - cardinality(b.positions) + u.n
       FROM event_batches b CROSS JOIN LATERAL unnest(b.positions) WITH ORDINALITY AS u (position, n)
       WHERE e.position = u.position AND e.sequence IS NULL`,
    );
    await db.query('TRUNCATE event_batches, event_gaps');
    for (const index of INDEXES) await db.query(index);
  }
}

const NEW_FUNCTIONS = [
  'number_events',
  'count_unnumbered_events',
  'teams_with_old_events',
  'remove_old_events',
  'claim_webhook_deliveries',
];

/** Those that write events are there as long as their triggers are. */
const FUNCTIONS = [...NEW_FUNCTIONS, 'add_event', 'write_call_event'];

const OWN_COLUMNS = `ARRAY['position', 'id', 'team_id', 'type', 'at', 'sequence', 'subject', 'data', 'call_id']`;

const INDEXES = [
  'CREATE INDEX IF NOT EXISTS ix_events_unnumbered ON events (position) WHERE sequence IS NULL',
  'CREATE UNIQUE INDEX IF NOT EXISTS uq_events_sequence ON events (team_id, sequence) WHERE sequence IS NOT NULL',
];

/** Of every team, the numbers behind those that were copied. */
const COPY_THE_REST = `
  INSERT INTO event_batches (team_id, last, positions)
  SELECT e.team_id, max(e.sequence), array_agg(e.position ORDER BY e.sequence)
  FROM (
    SELECT e.team_id, e.position, e.sequence,
      e.sequence - row_number() OVER (PARTITION BY e.team_id ORDER BY e.sequence) AS island
    FROM event_sequences s
    CROSS JOIN LATERAL (
      SELECT e.team_id, e.position, e.sequence FROM events e
      WHERE e.team_id = s.team_id AND e.sequence IS NOT NULL
        AND e.sequence > coalesce((SELECT b.last FROM event_batches b WHERE b.team_id = s.team_id ORDER BY b.last DESC LIMIT 1), 0)
      ORDER BY e.sequence) e) e
  GROUP BY e.team_id, e.island`;
