import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The sweeper's indexes across teams get conditions of their own. As long as theirs were those of the indexes
 * by number and by team, Postgres took one for the other where statistics knew of no such call, as in the
 * morning's first minutes: each trigger then read every pending call there is.
 */
export class IndexesToldApart1763820000000 implements MigrationInterface {
  name = 'IndexesToldApart1763820000000';

  async up(db: QueryRunner): Promise<void> {
    await replaceIndexes(db, ' AND ended_at IS NULL');
    for (const { name, before, after } of REWRITTEN) await rewrite(db, name, before, after);
  }

  async down(db: QueryRunner): Promise<void> {
    await replaceIndexes(db, '');
    for (const { name, before, after } of REWRITTEN) await rewrite(db, name, after, before);
  }
}

const PENDING = `status IN ('scheduled', 'queued')`;
const UNDER_WAY = `status IN ('dialing', 'in_progress', 'dial_unknown')`;

async function replaceIndexes(db: QueryRunner, open: string): Promise<void> {
  await db.query('DROP INDEX ix_call_requests_expiring');
  await db.query('DROP INDEX ix_call_requests_unsettled');
  await db.query(
    `CREATE INDEX ix_call_requests_expiring ON call_requests (expires_at) WHERE ${PENDING}${open}`,
  );
  await db.query(
    `CREATE INDEX ix_call_requests_unsettled ON call_requests (claimed_at) WHERE ${UNDER_WAY}${open}`,
  );
}

/** The functions that read these indexes repeat the condition of the index. */
const REWRITTEN = [
  {
    name: 'find_expired',
    before: `WHERE r.${PENDING} AND r.expires_at`,
    after: `WHERE r.${PENDING} AND r.ended_at IS NULL AND r.expires_at`,
  },
  {
    name: 'mark_unknown',
    before: `WHERE r.status = 'dialing' AND r.claimed_at < clock.now - dialing_ms * interval '1 ms'
        OR r.status = 'in_progress' AND r.claimed_at < clock.now - in_progress_ms * interval '1 ms'`,
    after: `WHERE r.ended_at IS NULL AND (
        r.status = 'dialing' AND r.claimed_at < clock.now - dialing_ms * interval '1 ms'
        OR r.status = 'in_progress' AND r.claimed_at < clock.now - in_progress_ms * interval '1 ms')`,
  },
  {
    name: 'ask_unknown',
    before: `WHERE r.status = 'dial_unknown'`,
    after: `WHERE r.ended_at IS NULL AND r.status = 'dial_unknown'`,
  },
  {
    name: 'may_be_another_call',
    before: `ON r.${UNDER_WAY} AND r.id`,
    after: `ON r.${UNDER_WAY} AND r.ended_at IS NULL AND r.id`,
  },
];

/**
 * Keeps the function's owner and who may call it. A function that the repeatable scripts have replaced since,
 * or that a reverted migration dropped, stays as it is.
 */
async function rewrite(db: QueryRunner, name: string, before: string, after: string): Promise<void> {
  const [row] = (await db.query('SELECT pg_get_functiondef(to_regproc($1)) AS definition', [name])) as {
    definition: string | null;
  }[];
  const parts = (row?.definition ?? '').split(before);
  if (parts.length === 2) await db.query(parts.join(after));
}
