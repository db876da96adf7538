import { Calling } from '../support/calling.js';
import { type IdleWorker } from '../support/idle-worker.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { buildStoredCall } from '../support/number-history.js';

const LONG_AGO = () => new Date(Date.now() - 3_600_000);

describe('the sweeper in one run', () => {
  let calling: Calling;
  let worker: IdleWorker;
  let caller: Caller;

  beforeAll(async () => {
    calling = await Calling.start();
    worker = await calling.startIdleWorker();
  });
  afterAll(() => calling.close());
  beforeEach(async () => {
    caller = await buildCaller(calling.db, { monthly_call_limit: 2_000 });
  });

  /** Counts of months long past are removed. */
  const MONTH = new Date().toISOString().slice(0, 7);

  /** Pending calls past their expiry, counted by the plan. */
  async function expiredCalls(count: number): Promise<void> {
    const { id } = await buildStoredCall(calling.db, caller, nextNumber(), {
      expires_at: LONG_AGO(),
      counted_month: `${MONTH}-01`,
    });
    await calling.db.query(
      `INSERT INTO call_requests SELECT (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid()))).*
       FROM call_requests r, generate_series(2, $2) WHERE r.id = $1`,
      [id, count],
    );
    await calling.db.query(`INSERT INTO plan_usage (team_id, month, shard, used) VALUES ($1, $2, 0, $3)`, [
      caller.teamId,
      `${MONTH}-01`,
      count,
    ]);
  }
  const statuses = async () => (await calling.rows(caller.teamId)).map(({ status }) => status);

  test('ends all expired calls, releases their counts and records it in their history', async () => {
    await expiredCalls(1_200);
    expect(await worker.sweep()).toMatchObject({ expired: 1_200 });
    const rows = await calling.rows(caller.teamId);
    for (const row of rows) {
      expect(row).toMatchObject({ status: 'expired', reason: null, counted_month: null });
      expect(row.ended_at).not.toBeNull();
      expect(row.history.at(-1)).toMatchObject({ from: 'queued', to: 'expired', cause: 'expired' });
    }
    expect(await calling.usage(caller.teamId)).toEqual({ [MONTH]: 0 });
    expect(await worker.sweep()).toMatchObject({ expired: 0 });
  });

  test('does not end a call that is being claimed', async () => {
    await expiredCalls(3);
    const [claimed] = await calling.rows(caller.teamId);
    const connection = calling.db.createQueryRunner();
    try {
      await connection.startTransaction();
      await connection.query(
        `UPDATE call_requests SET status = 'dialing', claimed_at = now(), processed_at = now(), caller_id = phone_number
         WHERE id = $1`,
        [claimed?.id],
      );
      expect(await worker.sweep()).toMatchObject({ expired: 2 });
      await connection.commitTransaction();
    } finally {
      await connection.release();
    }
    expect(await worker.sweep()).toMatchObject({ expired: 0 });
    expect((await statuses()).sort()).toEqual(['dialing', 'expired', 'expired']);
    expect(await calling.usage(caller.teamId)).toEqual({ [MONTH]: 1 });
  });

  test('is not delayed for other teams by one team’s held lock', async () => {
    await expiredCalls(3);
    const holder = caller;
    caller = await buildCaller(calling.db);
    const other = await buildStoredCall(calling.db, caller, nextNumber(), { expires_at: new Date() });
    const connection = calling.db.createQueryRunner();
    try {
      await connection.startTransaction();
      await connection.query('SELECT pg_advisory_xact_lock(team_lock_key($1))', [holder.teamId]);
      expect(await worker.sweep()).toMatchObject({ expired: 1 });
      await connection.commitTransaction();
    } finally {
      await connection.release();
    }
    expect(await calling.row(other.id)).toMatchObject({ status: 'expired' });
    expect(await worker.sweep()).toMatchObject({ expired: 3 });
  });

  test('is not delayed for other teams by a team whose oldest calls fill more than a batch', async () => {
    await expiredCalls(700);
    const holder = caller;
    caller = await buildCaller(calling.db);
    const others = await Promise.all(
      Array.from({ length: 3 }, () =>
        buildStoredCall(calling.db, caller, nextNumber(), { expires_at: new Date() }),
      ),
    );
    const connection = calling.db.createQueryRunner();
    try {
      await connection.startTransaction();
      await connection.query('SELECT pg_advisory_xact_lock(team_lock_key($1))', [holder.teamId]);
      expect(await worker.sweep()).toMatchObject({ expired: 3 });
      await connection.commitTransaction();
    } finally {
      await connection.release();
    }
    for (const { id } of others) expect(await calling.row(id)).toMatchObject({ status: 'expired' });
    expect(await worker.sweep()).toMatchObject({ expired: 700 });
  });

  test('deletes all answers that are older than 24 hours, and no others', async () => {
    const [OLD, NEW] = [12_000, 3];
    await calling.db.query(
      `INSERT INTO idempotency_keys (team_id, key, fingerprint, status, body, created_at)
       SELECT $1, 'key-' || n, decode(repeat('00', 32), 'hex'), 200, '{}',
         now() - CASE WHEN n <= $2 THEN interval '25 hours' ELSE interval '23 hours' END
       FROM generate_series(1, $2::integer + $3) n`,
      [caller.teamId, OLD, NEW],
    );
    await worker.sweep();
    const [left] = await calling.db.query<{ keys: number }[]>(
      'SELECT count(*)::integer AS keys FROM idempotency_keys WHERE team_id = $1',
      [caller.teamId],
    );
    expect(left).toEqual({ keys: NEW });
  });
});
