import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Indexes that mention the phase instead of the status, so that a report of a call changes no index. Those of
 * the status stay until no process of the version before is left: see `replaced-indexes.ts`.
 */
export class PhaseIndexes1764120050000 implements MigrationInterface {
  name = 'PhaseIndexes1764120050000';
  transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await correctOpenCalls(db);
    for (const [name, definition] of INDEXES) await build(db, name, definition);
    await db.query('ANALYZE call_requests');
  }

  /** In one transaction, for a stopped deployment. */
  async down(db: QueryRunner): Promise<void> {
    for (const [name, definition] of EARLIER_INDEXES) {
      await db.query(`CREATE INDEX IF NOT EXISTS ${name} ON call_requests ${definition}`);
    }
    for (const [name] of INDEXES) await db.query(`DROP INDEX IF EXISTS ${name}`);
  }
}

const phaseOf = (status: string) =>
  `CASE ${status} WHEN 'scheduled' THEN -1 WHEN 'queued' THEN 0
     WHEN 'dialing' THEN 1 WHEN 'in_progress' THEN 1 WHEN 'dial_unknown' THEN 1 ELSE 2 END`;

const PENDING = 'phase <= 0';
const OF_MANY_NUMBERS = 'generation >= 0';

const INDEXES = [
  ['ix_call_requests_numbers', '(team_id, phone_number, phase, processed_at)'],
  [
    'ix_call_requests_awake',
    `(runs_at, id) WHERE ${PENDING} AND (waiting_since IS NULL OR line_offered_at IS NOT NULL)`,
  ],
  ['ix_call_requests_slotless', `(team_id, runs_at, id) WHERE ${PENDING} AND waiting_since IS NOT NULL`],
  ['ix_call_requests_pending', `(team_id, expires_at, phase) WHERE ${PENDING} AND ${OF_MANY_NUMBERS}`],
  ['ix_call_requests_under_way', `(team_id, claimed_at) WHERE phase = 1 AND ${OF_MANY_NUMBERS}`],
] as const;

const STATUS_PENDING = `status IN ('scheduled', 'queued')`;
const STATUS_UNDER_WAY = `status IN ('dialing', 'in_progress', 'dial_unknown')`;

/** As the migrations before this one made them. */
const EARLIER_INDEXES = [
  ['ix_call_requests_pending_number', `(team_id, phone_number) WHERE ${STATUS_PENDING}`],
  ['ix_call_requests_processed', '(team_id, phone_number, processed_at) WHERE processed_at IS NOT NULL'],
  [
    'ix_call_requests_due',
    `(runs_at, id) WHERE ${STATUS_PENDING} AND (waiting_since IS NULL OR line_offered_at IS NOT NULL)`,
  ],
  [
    'ix_call_requests_waiting',
    `(team_id, runs_at, id) WHERE ${STATUS_PENDING} AND waiting_since IS NOT NULL`,
  ],
  ['ix_call_requests_lines', `(team_id, claimed_at) WHERE ${STATUS_UNDER_WAY}`],
  ['ix_call_requests_expiring', `(expires_at, status) WHERE ${STATUS_PENDING} AND ended_at IS NULL`],
  ['ix_call_requests_unsettled', `(claimed_at) WHERE ${STATUS_UNDER_WAY} AND ended_at IS NULL`],
  ['ix_call_requests_number', '(team_id, phone_number, accepted_at, id)'],
] as const;

const BATCH = 1_000;

/** Calls that were open before: the trigger says the phase of what changes meanwhile. */
async function correctOpenCalls(db: QueryRunner): Promise<void> {
  for (const open of [STATUS_PENDING, STATUS_UNDER_WAY]) {
    const rows = (await db.query(`SELECT id FROM call_requests WHERE ${open} AND phase = 2`)) as {
      id: string;
    }[];
    for (let start = 0; start < rows.length; start += BATCH) {
      const ids = rows.slice(start, start + BATCH).map(({ id }) => id);
      await db.query(
        `UPDATE call_requests SET phase = ${phaseOf('status')} WHERE id = ANY($1) AND phase <> ${phaseOf('status')}`,
        [ids],
      );
    }
  }
}

/** Without keeping writers out; what a failed run left half-built goes first. */
async function build(db: QueryRunner, name: string, definition: string): Promise<void> {
  const [found] = (await db.query(
    `SELECT i.indisvalid AS valid FROM pg_index i WHERE i.indexrelid = to_regclass($1)`,
    [name],
  )) as { valid: boolean }[];
  if (found?.valid) return;
  await db.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  await db.query(`CREATE INDEX CONCURRENTLY ${name} ON call_requests ${definition}`);
}
