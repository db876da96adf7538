import { randomUUID } from 'node:crypto';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { FairScheduler } from '../../src/queue/fair-scheduling.js';
import { testRedisPrefix, testRedisUrl } from '../support/redis.js';

/** A whole second, so that jobs for it are of one however long a test takes. */
const secondIn = (ms: number) => Math.round((Date.now() + ms) / 1_000) * 1_000;

describe('ranks', () => {
  let redis: Redis;
  let queue: Queue;
  let scheduler: FairScheduler;

  beforeEach(() => {
    redis = new Redis(testRedisUrl(), { maxRetriesPerRequest: null });
    queue = new Queue('ranks', { connection: redis, prefix: testRedisPrefix(), skipMetasUpdate: true });
    scheduler = new FairScheduler(redis);
  });
  afterEach(async () => {
    await queue.obliterate({ force: true });
    await queue.close();
    await redis.quit();
  });

  /** Adds jobs of a team one after the other, as the queue of calls does; gives their ranks. */
  async function add(teamId: string, count: number, delayMs = 0): Promise<number[]> {
    const given: number[] = [];
    for (let job = 0; job < count; job += 1) {
      given.push(...(delayMs === 0 ? await addDue(teamId, 1) : [await addScheduled(teamId, delayMs)]));
    }
    return given;
  }

  /** Adds jobs that are due now, in one transaction. */
  function addDue(teamId: string, count: number, by = { scheduler, queue }): Promise<number[]> {
    const job = { teamId, name: 'dial', data: { teamId }, opts: {} };
    const jobs = Array.from({ length: count }, () => ({ ...job, id: randomUUID() }));
    return by.scheduler.add(by.queue, jobs);
  }

  async function addScheduled(teamId: string, delayMs: number): Promise<number> {
    const [{ priority } = { priority: 0 }] = await scheduler.rankScheduled(queue, [{ teamId, delayMs }]);
    await queue.add('dial', { teamId }, { priority, jobId: randomUUID(), delay: delayMs });
    return priority;
  }

  test('count within a team, and start again for each team', async () => {
    expect(await add('a', 4)).toEqual([1, 2, 3, 4]);
    expect(await add('b', 2)).toEqual([1, 2]);
    expect(await add('a', 1)).toEqual([5]);
  });

  test('are the order in which the queue delivers jobs', async () => {
    await add('a', 3);
    await add('b', 2);
    const jobs = await queue.getJobs(['prioritized'], 0, -1, true);
    const order = jobs.map(({ priority, data }) => `${(data as { teamId: string }).teamId}${priority}`);
    expect(order).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  });

  test('continue if several processes add a team’s first jobs at once', async () => {
    const connection = new Redis(testRedisUrl(), { maxRetriesPerRequest: null });
    const other = new Queue('ranks', { connection, prefix: queue.opts.prefix, skipMetasUpdate: true });
    const processes = [
      { scheduler, queue },
      { scheduler: new FairScheduler(connection), queue: other },
    ];
    const batches = Array.from({ length: 20 }, (_, batch) => addDue('a', 10, processes[batch % 2]));
    const ranks = (await Promise.all(batches)).flat().sort((a, b) => a - b);
    expect(ranks).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
    await other.close();
    connection.disconnect();
  });

  test('stay if a job is added again', async () => {
    const job = { id: 'again', teamId: 'a', name: 'dial', data: {}, opts: {} };
    expect(await scheduler.add(queue, [job])).toEqual([1]);
    await add('a', 1);
    expect(await scheduler.add(queue, [job])).toEqual([0]);
    expect(await queue.getJob('again')).toMatchObject({ priority: 1 });
    expect(await add('a', 1)).toEqual([3]);
  });

  test('of a team that starts later join the current round', async () => {
    await add('a', 6);
    for (const job of (await queue.getJobs(['prioritized'])).filter(({ priority }) => priority <= 3)) {
      await job.remove();
    }
    expect(await add('b', 3)).toEqual([4, 5, 6]);
    expect(await add('a', 1)).toEqual([7]);
  });

  test('start again after the queue was empty', async () => {
    await add('a', 5);
    await queue.drain();
    expect(await add('a', 2)).toEqual([1, 2]);
  });

  test('of a due minute are counted separately', async () => {
    await add('a', 3);
    expect(await add('a', 2, 3_600_000)).toEqual([1, 2]);
    expect(await add('b', 1, 3_600_000)).toEqual([1]);
    expect(await add('a', 1, 7_200_000)).toEqual([1]);
  });

  async function ordersOf(count: number, teamId: string, dueAt: number): Promise<number[]> {
    const delayMs = dueAt - Date.now();
    const jobs = Array<{ teamId: string; delayMs: number }>(count).fill({ teamId, delayMs });
    return (await scheduler.rankScheduled(queue, jobs)).map(({ order }) => order);
  }

  test('of one second become due in an order in which no team waits for the many calls of another', async () => {
    const dueAt = secondIn(3_600_000);
    expect(await ordersOf(5, 'a', dueAt)).toEqual([1, 2, 3, 4, 5]);
    expect((await ordersOf(2_000, 'a', dueAt)).at(-1)).toBe(2_005);
    expect(Math.max(...(await ordersOf(10, 'b', dueAt)))).toBeLessThanOrEqual(10 * 3);
    expect(await ordersOf(1, 'a', dueAt + 10_000)).toEqual([1]);
    await add('a', 2);
    expect(await queue.getJobCounts('prioritized', 'delayed')).toEqual({ prioritized: 2, delayed: 0 });
  });

  test('end at the highest priority', async () => {
    await queue.add('dial', {}, { priority: 2_097_150 });
    expect(await add('a', 3)).toEqual([2_097_150, 2_097_151, 2_097_151]);
  });
});
