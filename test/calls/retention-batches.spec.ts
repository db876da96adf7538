import { Client } from 'pg';
import { RetentionService } from '../../src/calls/recovery/retention.service.js';
import { Metrics } from '../../src/telemetry/metrics.js';
import { fresh, grown } from '../operations/samples.js';
import { buildTeam, nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { Calling } from '../support/calling.js';
import { moveClock } from '../support/clock.js';
import { eventually } from '../support/eventually.js';
import { buildStoredCall, endedAgo } from '../support/number-history.js';

const calling = Calling.ofFile();
const worker = calling.idleWorkerOfFile();
let retention: RetentionService;

beforeAll(() => {
  retention = worker.app.get(RetentionService);
});
beforeEach(() => moveClock(calling.db, '0'));

const removeCalls = () => retention.removeCalls(new AbortController().signal);

/** Copies a call so many times. */
async function multiply(id: string, copies: number): Promise<void> {
  await calling.db.query(
    `INSERT INTO call_requests (id, team_id, agent_id, contact_id, phone_number, status, accepted_at, runs_at, expires_at, woken_at,
       ended_at, history)
     SELECT gen_random_uuid(), team_id, agent_id, contact_id, phone_number, status, accepted_at + n * interval '1 ms', runs_at, expires_at,
       woken_at, ended_at + n * interval '1 ms', history
     FROM call_requests, generate_series(1, $2) AS n WHERE id = $1`,
    [id, copies],
  );
}

async function countOf(caller: Caller): Promise<number> {
  return (await calling.rows(caller.teamId)).length;
}

test('the retention removes counts of plan usage after three months', async () => {
  const { id } = await buildTeam(calling.db);
  await calling.db.query(
    `INSERT INTO plan_usage (team_id, month, shard, used)
     SELECT $1, date_trunc('month', now() AT TIME ZONE 'UTC') - n * interval '1 month', shard, 1
     FROM generate_series(0, 8) AS n, generate_series(0, 1) AS shard`,
    [id],
  );
  expect(await retention.removePlanUsage(new AbortController().signal)).toBe(10);
  const kept = await calling.db.query<{ months: number }[]>(
    'SELECT count(DISTINCT month)::integer AS months FROM plan_usage WHERE team_id = $1',
    [id],
  );
  expect(kept).toEqual([{ months: 4 }]);
});

describe('with many calls', () => {
  const OLD = 50_000;
  const YOUNG = 2_000;
  let caller: Caller;

  beforeAll(async () => {
    caller = await buildCaller(calling.db, { call_retention_days: 31 });
    const stored = async (days: number) =>
      (await buildStoredCall(calling.db, caller, nextNumber(), endedAgo(days))).id;
    await multiply(await stored(100), OLD - 1);
    await multiply(await stored(10), YOUNG - 1);
    await calling.db.query('ANALYZE call_requests');
  }, 120_000);

  interface Node {
    'Node Type': string;
    'Relation Name'?: string;
    'Index Name'?: string;
    'Actual Rows': number;
    'Actual Loops': number;
    Plans?: Node[];
  }

  const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

  /** What a batch really does, undone afterwards. */
  async function planOfBatch(batch: number): Promise<Node[]> {
    const [row] = await calling.db.query<{ body: string }[]>(
      `SELECT prosrc AS body FROM pg_proc WHERE proname = 'remove_ended_calls'`,
    );
    const text = (row?.body ?? '')
      .replaceAll(/\bteam\b/g, `'${caller.teamId}'::uuid`)
      .replaceAll(/\bafter_accepted_at\b/g, `'-infinity'::timestamptz`)
      .replaceAll(/\bafter_id\b/g, `'${'0'.repeat(32)}'::uuid`)
      .replaceAll(/\bbatch\b/g, `${batch}`);
    const runner = calling.db.createQueryRunner();
    await runner.startTransaction();
    try {
      const [plan] = (await runner.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`)) as [
        { 'QUERY PLAN': [{ Plan: Node }] },
      ];
      return nodesOf(plan['QUERY PLAN'][0].Plan);
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
  }

  test('a batch reads only the rows that it checks, by the index of the list', async () => {
    const nodes = await planOfBatch(500);
    const reads = nodes.filter((node) => node['Relation Name'] === 'call_requests' && 'Actual Rows' in node);
    expect(reads.map((node) => node['Node Type'])).not.toContain('Seq Scan');
    expect(nodes.map((node) => node['Index Name'])).toContain('ix_call_requests_listing');
    const read = reads.reduce((sum, node) => sum + node['Actual Rows'] * node['Actual Loops'], 0);
    expect(read).toBeLessThan(6 * 500);
  });

  test('two concurrent workers wait neither for each other nor for a locked row', async () => {
    const [busy] = await calling.db.query<{ id: string }[]>(
      'SELECT id FROM call_requests WHERE team_id = $1 ORDER BY accepted_at, id LIMIT 1',
      [caller.teamId],
    );
    const client = new Client({ connectionString: calling.world.config.databaseUrl });
    await client.connect();
    try {
      await client.query('BEGIN');
      await client.query(`SELECT FROM remove_ended_calls($1, '-infinity', $2, 10)`, [
        caller.teamId,
        '0'.repeat(32),
      ]);
      // What the other is removing is its own: this one ends, and does not wait.
      expect(await removeCalls()).toBe(0);
      await client.query('ROLLBACK');

      await client.query('BEGIN');
      await client.query('SELECT FROM call_requests WHERE id = $1 FOR UPDATE', [busy?.id]);
      const other = await calling.startWorker({ sweeperIntervalMs: 86_400_000 });
      const both = await Promise.all([
        removeCalls(),
        other.get(RetentionService).removeCalls(new AbortController().signal),
      ]);
      // One of them may have found the other at work, and ended.
      expect(both[0] + both[1]).toBe(OLD - 1);
    } finally {
      await client.end();
    }
    await eventually(removeCalls, (removed) => removed === 1);
    expect(await countOf(caller)).toBe(YOUNG);
  }, 120_000);

  test('a worker that stops ends its run after the current batch', async () => {
    const stopped = await buildCaller(calling.db, { call_retention_days: 31 });
    const { id } = await buildStoredCall(calling.db, stopped, nextNumber(), endedAgo(50));
    await multiply(id, 1_500);
    const stopping = new AbortController();
    const removed = worker.app.get(Metrics).rowsRemoved.bind(worker.app.get(Metrics));
    const spied = jest.spyOn(worker.app.get(Metrics), 'rowsRemoved').mockImplementation((table, rows) => {
      removed(table, rows);
      if (rows > 0) stopping.abort();
    });
    try {
      expect(await retention.removeCalls(stopping.signal)).toBe(500);
    } finally {
      spied.mockRestore();
    }
    expect(await removeCalls()).toBe(1_001);
  });
});

describe('stored answers of idempotency keys', () => {
  const FINGERPRINT = Buffer.alloc(32);

  async function answers(teamId: string, count: number, age: string): Promise<void> {
    await calling.db.query(
      `INSERT INTO idempotency_keys (team_id, key, fingerprint, status, body, created_at)
       SELECT $1, $3 || n, $2, 200, '{}', outdial_now() - $3::interval FROM generate_series(1, $4) n`,
      [teamId, FINGERPRINT, age, count],
    );
  }

  const left = async (teamId: string) =>
    (await calling.db.query<unknown[]>('SELECT FROM idempotency_keys WHERE team_id = $1', [teamId])).length;

  test('are removed in batches, all older than 24 hours in one run, and later ones in the next run', async () => {
    const { id } = await buildTeam(calling.db);
    await answers(id, 9_000, '25 hours');
    await answers(id, 10, '24 hours');
    await answers(id, 5, '23 hours');
    const { signal } = new AbortController();
    const before = await fresh(worker.app);
    expect(await retention.removeAnswers(signal)).toBe(9_010);
    expect(await left(id)).toBe(5);
    const after = await fresh(worker.app);
    const series = 'outdial_retention_removed_rows_total{table="idempotency_keys"}';
    expect(grown(before, after, series)).toBe(9_010);
    const age = after['outdial_retention_oldest_row_age_seconds{table="idempotency_keys"}'];
    expect(age).toBeGreaterThanOrEqual(23 * 3_600);
    expect(age).toBeLessThan(24 * 3_600);
    await moveClock(calling.db, '1 hour');
    expect(await retention.removeAnswers(signal)).toBe(5);
    expect(await left(id)).toBe(0);
  });
});
