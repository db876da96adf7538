import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The numbers of events in a table of their own: numbering wrote each event and its entries in three indexes
 * again. The numbers that are there are copied, a thousand of a team in each statement. The next migration
 * copies those that the version before gives meanwhile.
 */
export class EventBatches1764270000000 implements MigrationInterface {
  name = 'EventBatches1764270000000';
  transaction = false;

  async up(db: QueryRunner): Promise<void> {
    for (const statement of TABLES) await db.query(statement);
    // In the order of the index: Postgres does not know how few rows a statement needs.
    for (const way of WAYS) await db.query(`SET enable_${way} = off`);
    const teams = (await db.query('SELECT team_id FROM event_sequences')) as { team_id: string }[];
    for (const { team_id: team } of teams) {
      for (let copied = 1; copied > 0;) {
        const rows = (await db.query(COPY, [team])) as object[];
        copied = rows.length;
      }
    }
    for (const way of WAYS) await db.query(`RESET enable_${way}`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE IF EXISTS event_batches, event_gaps');
    await db.query(
      `ALTER TABLE events ${COLUMNS.map((column) => `DROP COLUMN IF EXISTS ${column}`).join(', ')},
         ALTER COLUMN data SET NOT NULL, SET (fillfactor = 50)`,
    );
  }
}

const TABLES = [
  // No foreign key: the team's row in `event_sequences` has one.
  `CREATE TABLE IF NOT EXISTS event_batches (
     team_id uuid NOT NULL,
     last bigint NOT NULL,
     positions bigint[] NOT NULL,
     CONSTRAINT pk_event_batches PRIMARY KEY (team_id, last)
   )`,
  `CREATE TABLE IF NOT EXISTS event_gaps (
     first bigint NOT NULL,
     last bigint NOT NULL,
     found_by bigint,
     CONSTRAINT pk_event_gaps PRIMARY KEY (first)
   )`,
  'GRANT SELECT ON event_batches TO outdial_app',
  // Of calls: JSON takes three times the room, and longer to make. Events are not changed any more, but by
  // erasures.
  `ALTER TABLE events
     ADD COLUMN IF NOT EXISTS call_id uuid,
     ADD COLUMN IF NOT EXISTS agent_id uuid,
     ADD COLUMN IF NOT EXISTS enrollment_id uuid,
     ADD COLUMN IF NOT EXISTS accepted_at timestamptz,
     ADD COLUMN IF NOT EXISTS status text,
     ADD COLUMN IF NOT EXISTS reason text,
     ADD COLUMN IF NOT EXISTS runs_at timestamptz,
     ADD COLUMN IF NOT EXISTS expires_at timestamptz,
     ADD COLUMN IF NOT EXISTS contact_id uuid,
     ADD COLUMN IF NOT EXISTS phone_number text,
     ADD COLUMN IF NOT EXISTS caller_id text,
     ADD COLUMN IF NOT EXISTS answered_at timestamptz,
     ADD COLUMN IF NOT EXISTS ended_at timestamptz,
     ADD COLUMN IF NOT EXISTS duration_seconds integer,
     ADD COLUMN IF NOT EXISTS unknown_placeholders text[],
     ALTER COLUMN data DROP NOT NULL,
     SET (fillfactor = 100)`,
];

const WAYS = ['seqscan', 'bitmapscan', 'sort'];

const COLUMNS = [
  'call_id',
  'agent_id',
  'enrollment_id',
  'accepted_at',
  'status',
  'reason',
  'runs_at',
  'expires_at',
  'contact_id',
  'phone_number',
  'caller_id',
  'answered_at',
  'ended_at',
  'duration_seconds',
  'unknown_placeholders',
];

/** The next numbers of a team; those of a batch follow each other. */
const COPY = `
  INSERT INTO event_batches (team_id, last, positions)
  SELECT $1, max(e.sequence), array_agg(e.position ORDER BY e.sequence)
  FROM (
    SELECT n.position, n.sequence, n.sequence - row_number() OVER (ORDER BY n.sequence) AS island
    FROM (
      SELECT e.position, e.sequence FROM events e
      WHERE e.team_id = $1 AND e.sequence IS NOT NULL
        AND e.sequence > coalesce((SELECT b.last FROM event_batches b WHERE b.team_id = $1 ORDER BY b.last DESC LIMIT 1), 0)
      ORDER BY e.sequence
      LIMIT 1000) n) e
  GROUP BY e.island
  RETURNING 1`;
