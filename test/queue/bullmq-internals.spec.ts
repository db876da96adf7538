import { readFileSync } from 'node:fs';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import * as internals from '../../src/queue/bullmq-internals.js';
import { eventually } from '../support/eventually.js';
import { clearRedisPrefix, testRedisPrefix, testRedisUrl } from '../support/redis.js';

/* Holds each thing that `bullmq-internals.ts` relies on to what the installed BullMQ and ioredis do. */

const prefix = testRedisPrefix();
const connection = { url: testRedisUrl(), maxRetriesPerRequest: null };
let redis: Redis;
let queue: Queue;

beforeAll(() => {
  redis = new Redis(testRedisUrl());
  queue = new Queue('internals', { connection, prefix });
});
afterEach(() => queue.obliterate({ force: true }));
afterAll(async () => {
  await queue.close();
  redis.disconnect();
  await clearRedisPrefix(prefix);
});

function installed(name: string): string {
  const { version } = JSON.parse(readFileSync(require.resolve(`${name}/package.json`), 'utf8')) as {
    version: string;
  };
  return version;
}

/** A test that names the versions where what it says does not hold. */
function holds(what: string, check: () => Promise<void>): void {
  test(what, async () => {
    try {
      await check();
    } catch (error) {
      const versions = Object.entries(internals.WRITTEN_FOR).map(
        ([name, version]) => `${name} ${version} (installed: ${installed(name)})`,
      );
      const message = `src/queue/bullmq-internals.ts was written for ${versions.join(' and ')}. No longer true: ${what}.`;
      throw new Error(`${message}\n${(error as Error).message}`, { cause: error });
    }
  });
}

/** Adds jobs by their ids. */
const add = (id: string, opts: object = {}) => queue.add('job', {}, { jobId: id, priority: 1, ...opts });

/** Lets a worker take one job, and looks while it is active. */
async function whileActive(look: () => Promise<void>, outcome: () => Promise<void>): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const worker = new Worker('internals', () => look().catch(reject).then(outcome), { connection, prefix });
    const ended = () => void worker.close().then(resolve);
    worker.on('completed', ended).on('failed', ended).on('error', reject);
  });
}

holds('the score of a waiting job is its priority times 2^32, and a counter', async () => {
  await add('one', { priority: 7 });
  await add('other', { priority: internals.HIGHEST_PRIORITY });
  const scores = await redis.zmscore(internals.waitingKey(queue), 'one', 'other');
  const priorities = scores.map((score) => Math.floor(Number(score) / internals.PRIORITY_FACTOR));
  expect(priorities).toEqual([7, internals.HIGHEST_PRIORITY]);
  await expect(add('beyond', { priority: internals.HIGHEST_PRIORITY + 2 })).rejects.toThrow();
});

holds('jobs are added in one transaction with a script, which sees all of them', async () => {
  redis.defineCommand('countWaiting', { lua: `return {redis.call('ZCARD', KEYS[1]), ARGV[1]}` });
  const shared = new Queue('internals', { connection: redis, prefix });
  try {
    const jobs = ['one', 'two'].map((id) => ({ id, name: 'job', data: { id }, opts: { attempts: 2 } }));
    const count = () =>
      internals.addAndRun(shared, jobs, 'countWaiting', [1, internals.waitingKey(queue), 'said']);
    expect(await count()).toEqual([2, 'said']);
    expect(await count()).toEqual([2, 'said']);
    const added = await queue.getJob('two');
    expect(added).toMatchObject({ priority: internals.UNRANKED, data: { id: 'two' }, opts: { attempts: 2 } });
    await expect(internals.addAndRun(shared, jobs, 'countWaiting', [1, 'no-set'])).resolves.toEqual([0]);
  } finally {
    await shared.close();
  }
});

holds('a job that waits has its priority in its hash, which a worker is told', async () => {
  await add('job', { priority: 7 });
  await redis.hset(internals.ownKey(queue, 'job'), 'priority', 5);
  expect((await queue.getJob('job'))?.priority).toBe(5);
});

holds('a job that Lua ranks is taken by its rank, after the jobs that had it before', async () => {
  const { luaFirstWaiting, luaIsUnranked, luaPriorityOf, luaScoreOf, luaSetRank } = internals;
  const score = luaScoreOf('KEYS[1]', 'ARGV[1]');
  const rank = `
    local score = tonumber(${score})
    local wasUnranked = ${luaIsUnranked('score')}
    ${luaSetRank('KEYS[1]', 'ARGV[1]', 'score', 'KEYS[2]', 'ARGV[2]')}
    local now = tonumber(${score})
    return {tostring(wasUnranked), tostring(${luaIsUnranked('now')}), ${luaPriorityOf('now')}, ${luaFirstWaiting('KEYS[1]')}[1]}`;
  for (const id of ['third', 'fourth']) await add(id, { priority: 7 });
  for (const id of ['fifth', 'first']) await add(id, { priority: internals.UNRANKED });
  const ranked = (id: string, to: number) =>
    redis.eval(rank, 2, internals.waitingKey(queue), internals.ownKey(queue, id), id, to);
  expect(await ranked('fifth', 7)).toEqual(['true', 'false', 7, 'third']);
  expect(await ranked('first', 5)).toEqual(['true', 'false', 5, 'first']);
  const jobs = await queue.getPrioritized();
  expect(jobs.map(({ id, priority }) => [id, priority])).toEqual([
    ['first', 5],
    ['third', 7],
    ['fourth', 7],
    ['fifth', 7],
  ]);
});

holds('jobs that wait are known by their ids, and those that do not are not', async () => {
  await add('waits');
  await add('job-delayed', { delay: 60_000 });
  const ids = ['waits', 'job-delayed', 'none'];
  expect(await internals.waiting(redis, queue, ids)).toEqual([true, false, false]);
  expect(await Promise.all(ids.map((id) => internals.isKnown(redis, [queue], id)))).toEqual([
    true,
    true,
    false,
  ]);
});

holds('the score of a delayed job tells the millisecond at which it is due', async () => {
  const { timestamp } = await add('job-delayed', { delay: 60_000 });
  const [until, none] = await internals.delayedUntil(redis, queue, ['job-delayed', 'none']);
  expect(Math.floor(until ?? 0)).toBe(timestamp + 60_000);
  expect(none).toBeNull();
});

holds('a promoted job keeps its priority', async () => {
  await add('late', { delay: 60_000, priority: 9 });
  await (await queue.getJob('late'))?.promote();
  const [score] = await redis.zmscore(internals.waitingKey(queue), 'late');
  expect(Math.floor(Number(score) / internals.PRIORITY_FACTOR)).toBe(9);
});

holds('a paused queue says so in its meta hash', async () => {
  await add('waits');
  expect(await redis.exists(internals.metaKey(prefix, 'internals'))).toBe(1);
  expect(await internals.isPaused(redis, queue)).toBe(false);
  await queue.pause();
  expect(await internals.isPaused(redis, queue)).toBe(true);
  await queue.resume();
  expect(await internals.isPaused(redis, queue)).toBe(false);
});

holds('an active job is in its list, locked, and says since when', async () => {
  const before = Date.now();
  await add('job');
  expect(await internals.isLocked(redis, queue, 'job')).toBe(false);
  expect(await internals.takenAt(redis, queue, 'job')).toBe(0);
  await whileActive(
    async () => {
      expect(await internals.active(redis, queue, 10)).toEqual(['job']);
      expect(await internals.isLocked(redis, queue, 'job')).toBe(true);
      expect(await internals.takenAt(redis, queue, 'job')).toBeGreaterThanOrEqual(before);
    },
    () => Promise.resolve(),
  );
  expect(await internals.isLocked(redis, queue, 'job')).toBe(false);
});

holds('a failed job keeps its reason', async () => {
  await add('job');
  expect(await internals.endOf(redis, queue, 'job')).toEqual({ known: true, failedReason: undefined });
  await whileActive(
    () => Promise.resolve(),
    () => Promise.reject(new Error('the reason')),
  );
  expect(await internals.endOf(redis, queue, 'job')).toEqual({ known: true, failedReason: 'the reason' });
  expect(await internals.endOf(redis, queue, 'none')).toEqual({ known: false, failedReason: undefined });
});

holds('ioredis sets the timer of a silent connection in the method that is replaced', async () => {
  const silent = new Redis(testRedisUrl(), { socketTimeout: 61_234 });
  try {
    await silent.ping();
    const waits = silent.blpop(`${prefix}:nothing`, 0).catch(() => undefined);
    expect(Reflect.get(silent, 'socketTimeoutTimer')).toBeDefined();
    const closed = new Promise((resolve) => silent.once('close', resolve));
    silent.disconnect();
    await Promise.all([closed, waits]);
    expect(Reflect.get(silent, 'socketTimeoutTimer')).toBeUndefined();
  } finally {
    silent.disconnect();
  }
});

holds('a worker that was abandoned closes at once, and leaves no timer behind', async () => {
  const before = timers();
  await add('job');
  const worker = new Worker('internals', () => new Promise(() => undefined), { connection, prefix });
  worker.on('error', () => undefined);
  await new Promise((resolve) => worker.once('active', resolve));
  // One renews locks, one looks for stalled jobs.
  await eventually(
    () => Promise.resolve(timers()),
    (running) => running >= before + 2,
  );
  // Waits for its job, as it would for Redis.
  void worker.close();
  internals.abandon(worker);
  await worker.close();
  await eventually(
    () => Promise.resolve(timers()),
    (running) => running <= before,
  );
});

function timers(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
}
