import { randomUUID } from 'node:crypto';
import { CallQueue } from '../../src/queue/call-queue.js';
import { SPREAD_OVER_MS, spreadMs } from '../../src/queue/fair-scheduling.js';
import { Calling } from '../support/calling.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { moveClock, setClock } from '../support/clock.js';
import { eventually } from '../support/eventually.js';
import { testRedisUrl } from '../support/redis.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';

function everyDay(start: string, end: string) {
  const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
  return Object.fromEntries(days.map((day) => [day, [{ start, end }]]));
}

const AT_15 = { calling_hours: everyDay('15:00', '16:00'), timezone: 'UTC' };

/** A whole second, so that jobs for it are of one however long a test takes. */
const secondIn = (ms: number) => Math.round((Date.now() + ms) / 1_000) * 1_000;

test('jobs of one instant become due one after the other, all within a minute', () => {
  expect(spreadMs(1)).toBe(0);
  expect(spreadMs(31)).toBe(10);
  const ranks = Array.from({ length: 400_000 }, (_, index) => index + 1);
  const perSecond = new Map<number, number>();
  for (const rank of ranks) {
    const second = Math.floor(spreadMs(rank) / 1_000);
    perSecond.set(second, (perSecond.get(second) ?? 0) + 1);
  }
  expect(perSecond.size).toBe(SPREAD_OVER_MS / 1_000);
  expect(Math.max(...perSecond.values())).toBeLessThanOrEqual(9_000);
});

test('the calls of one instant do not all become due in Redis at once', async () => {
  const calling = await Calling.start();
  try {
    const jobs = Array.from({ length: 3_000 }, () => ({
      callRequestId: randomUUID(),
      generation: 0,
      teamId: 'a',
    }));
    const delayMs = secondIn(3_600_000) - Date.now();
    // What a busy machine does not confirm in time is added again, as the sweeper does; a job that is there
    // stays as it is.
    let missing = jobs;
    while (missing.length > 0) {
      const confirmed = await Promise.all(
        missing.map((job) => calling.api.get(CallQueue).wake(job, delayMs)),
      );
      missing = missing.filter((_, index) => !confirmed[index]);
    }
    // On a busy machine, Redis confirms some of them, and lists all of them, only after the API has given up
    // waiting for it.
    const delayed = await eventually(
      () => calling.queue.getDelayed().catch(() => []),
      (jobs) => jobs.length === 3_000,
    );
    const due = delayed.map((job) => job.timestamp + job.delay).sort((a, b) => a - b);
    expect(due).toHaveLength(3_000);
    // The last of three thousand a second after the first; added in less than that.
    expect((due.at(-1) ?? 0) - (due[0] ?? 0)).toBeGreaterThan(900);
    expect(due.filter((at) => at < (due[0] ?? 0) + 100).length).toBeLessThan(1_000);
  } finally {
    await calling.close();
  }
});

/** Served round-robin, the last of ten calls is the 20th to be dialed; in order of arrival, the 210th. */
const FAIR = 25;

describe('a team with ten calls due and another with two hundred', () => {
  let calling: Calling;
  let large: Caller;
  let small: Caller;
  let redis: TcpProxy;

  beforeEach(async () => {
    redis = await startTcpProxy(testRedisUrl());
    calling = await Calling.start({ sweeperGraceMs: 60_000, redisUrl: redis.url });
  });
  afterEach(async () => {
    await moveClock(calling.db, '0');
    await calling.close();
    await redis.close();
  });

  const place = (caller: Caller, count: number) =>
    Promise.all(Array.from({ length: count }, () => calling.accepted(caller, { phoneNumber: nextNumber() })));

  /** The rank among all dials of the last of these. */
  async function lastOf(ids: string[]): Promise<number> {
    const ranks = await eventually(
      () => {
        const dialed = calling.dials().map(({ callRequestId }) => callRequestId);
        return Promise.resolve(ids.map((id) => dialed.indexOf(id)));
      },
      (found) => !found.includes(-1),
    );
    return Math.max(...ranks);
  }

  /** A wake-up may reach Redis after the answer to its request. */
  const waiting = (state: 'prioritized' | 'delayed', count: number) =>
    eventually(
      () => calling.queue.getJobCounts(state),
      (counts) => counts[state] === count,
    );

  test('is not delayed by the other team’s earlier calls', async () => {
    [large, small] = [await buildCaller(calling.db), await buildCaller(calling.db)];
    await place(large, 200);
    await waiting('prioritized', 200);
    const ids = await place(small, 10);
    await waiting('prioritized', 210);
    await calling.startWorker({ workerConcurrency: 1 });
    expect(await lastOf(ids)).toBeLessThan(FAIR);
  });

  test('is not delayed if Redis was away, so that many batches were ranked at once', async () => {
    [large, small] = [await buildCaller(calling.db), await buildCaller(calling.db)];
    redis.freeze();
    const placing = place(large, 200);
    // Before the connection is given up as a silent one.
    const second = new Promise((resolve) => setTimeout(resolve, 1_000));
    await Promise.race([
      second,
      eventually(
        () => calling.rows(large.teamId),
        (rows) => rows.length > 100,
      ),
    ]);
    await redis.restore();
    await placing;
    await waiting('prioritized', 200);
    const ids = await place(small, 10);
    await waiting('prioritized', 210);
    await calling.startWorker({ workerConcurrency: 1 });
    expect(await lastOf(ids)).toBeLessThan(FAIR);
  });

  test('is not delayed if all calls are scheduled for one instant', async () => {
    // The due time is a whole minute by Redis' clock, too, as real openings are: jobs are ranked among those of
    // one minute.
    const minute = Math.ceil(Date.now() / 60_000 + 5) * 60_000;
    const before = minute - Date.now();
    await setClock(calling.db, new Date(Date.parse('2026-03-02T15:00:00Z') - before).toISOString());
    [large, small] = [await buildCaller(calling.db, {}, AT_15), await buildCaller(calling.db, {}, AT_15)];
    await place(large, 200);
    await waiting('delayed', 200);
    const ids = await place(small, 10);
    await waiting('delayed', 210);
    await setClock(calling.db, '2026-03-02T15:00:10Z');
    // One by one, as a worker lets due jobs in: `promoteJobs` ignores priorities, and orders them by the time
    // they were added.
    for (const job of await calling.queue.getDelayed()) await job.promote();
    await calling.startWorker({ workerConcurrency: 1 });
    expect(await lastOf(ids)).toBeLessThan(FAIR);
  });
});
