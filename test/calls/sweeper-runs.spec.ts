import { hostname } from 'node:os';
import { SweeperRuns } from '../../src/calls/recovery/sweeper-runs.js';
import { PooledTransactions } from '../../src/database/pooled-transactions.js';
import { buildCaller } from '../support/call-builders.js';
import { Calling } from '../support/calling.js';
import { moveClock } from '../support/clock.js';
import { eventually } from '../support/eventually.js';
import { nextNumber } from '../support/builders.js';
import { buildStoredCall } from '../support/number-history.js';

interface RunRow {
  worker: string;
  started_at: Date;
  ran_at: Date;
  duration_ms: number;
  repaired_at: Date | null;
  woken: number;
  expired: number;
}

const NOTHING = { woken: 0, expired: 0, unknown: 0, resolved: 0 };

const calling = Calling.ofFile();

beforeEach(async () => {
  await moveClock(calling.db, '0');
  await calling.db.query('DELETE FROM sweeper_runs');
});

const runs = () => calling.db.query<RunRow[]>('SELECT * FROM sweeper_runs ORDER BY ran_at DESC');

/** On a pool of its own. */
async function withSweeperRuns(work: (sweeperRuns: SweeperRuns) => Promise<void>, databaseUrl?: string) {
  const transactions = new PooledTransactions({
    databaseUrl: databaseUrl ?? calling.world.config.databaseUrl,
    poolSize: 1,
    onError: () => undefined,
  });
  try {
    await work(new SweeperRuns(transactions));
  } finally {
    await transactions.close();
  }
}

test('a worker records the runs of its sweeper and the repairs', async () => {
  const caller = await buildCaller(calling.db);
  const longAgo = new Date(Date.now() - 3_600_000);
  await buildStoredCall(calling.db, caller, nextNumber(), { expires_at: longAgo });
  const worker = await calling.startWorker();
  const [run] = await eventually(runs, ([row]) => row?.expired === 1);
  expect(run).toMatchObject({ worker: `${hostname()}:${process.pid}`, woken: 0 });
  expect(run?.repaired_at?.getTime()).toBeGreaterThanOrEqual(run?.started_at.getTime() ?? Infinity);
  await worker.close();
});

test('runs without repairs are recorded every few seconds, others at once; repairs are summed up', async () => {
  await withSweeperRuns(async (sweeperRuns) => {
    await sweeperRuns.note(NOTHING, 3.4);
    const [first] = await runs();
    expect(first).toMatchObject({ duration_ms: 3, repaired_at: null, woken: 0, expired: 0 });
    await sweeperRuns.note(NOTHING, 9);
    expect(await runs()).toEqual([first]);
    await sweeperRuns.note({ ...NOTHING, woken: 2 }, 5);
    await sweeperRuns.note({ ...NOTHING, woken: 1, expired: 1 }, 7);
    const [last] = await runs();
    expect(last).toMatchObject({ duration_ms: 7, woken: 3, expired: 1, started_at: first?.started_at });
    expect(last?.repaired_at).toEqual(last?.ran_at);
  });
});

test('a process of the same name starts a new record; workers that are silent for an hour are removed', async () => {
  await withSweeperRuns((sweeperRuns) => sweeperRuns.note({ ...NOTHING, woken: 2 }, 1));
  await withSweeperRuns((sweeperRuns) => sweeperRuns.note(NOTHING, 1));
  expect(await runs()).toMatchObject([{ woken: 0, repaired_at: null }]);
  await calling.db.query(`UPDATE sweeper_runs SET worker = 'elsewhere:1'`);
  await moveClock(calling.db, '59 minutes');
  await withSweeperRuns((sweeperRuns) => sweeperRuns.note(NOTHING, 1));
  expect(await runs()).toHaveLength(2);
  await moveClock(calling.db, '61 minutes');
  await withSweeperRuns((sweeperRuns) => sweeperRuns.note(NOTHING, 1));
  expect((await runs()).map(({ worker }) => worker)).toEqual([`${hostname()}:${process.pid}`]);
});

test('a worker that stops is removed at once', async () => {
  const worker = await calling.startWorker();
  await eventually(runs, (rows) => rows.length === 1);
  await worker.close();
  expect(await runs()).toEqual([]);
});

test('the sweeper continues when the database does not answer', async () => {
  await withSweeperRuns(async (sweeperRuns) => {
    await expect(sweeperRuns.note({ ...NOTHING, woken: 1 }, 1)).resolves.toBeUndefined();
    await expect(sweeperRuns.leave()).resolves.toBeUndefined();
  }, 'postgres://nobody@127.0.0.1:1/nowhere');
});
