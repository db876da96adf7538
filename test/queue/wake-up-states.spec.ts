import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { UNDECIDED } from '../../src/queue/call-jobs.js';
import { findMissing, findStates } from '../../src/queue/wake-up-states.js';
import { clearRedisPrefix, testRedisPrefix, testRedisUrl } from '../support/redis.js';

/* Written for the keys of BullMQ 6: whether they still say of a job what the sweeper reads from them. */

const prefix = testRedisPrefix();
const connection = { url: testRedisUrl(), maxRetriesPerRequest: null };
let redis: Redis;
let queue: Queue;

beforeAll(() => {
  redis = new Redis(testRedisUrl());
  queue = new Queue('calls', { connection, prefix });
});
afterAll(async () => {
  await queue.close();
  redis.disconnect();
  await clearRedisPrefix(prefix);
});

const add = (jobId: string, opts: object = {}) => queue.add('dial', {}, { jobId, priority: 1, ...opts });
const stateOf = async (jobId: string) => (await findStates(redis, [queue], [jobId], 10_000))[0];

/** Lets a worker act upon all there is. */
async function work(process: () => Promise<void>, ids: string[]): Promise<void> {
  const worker = new Worker('calls', process, { connection, prefix });
  const left = new Set(ids);
  await new Promise<void>((resolve) => {
    const ended = (id: string | undefined) => {
      left.delete(id ?? '');
      if (left.size === 0) resolve();
    };
    worker.on('completed', (job) => ended(job.id)).on('failed', (job) => ended(job?.id));
  });
  await worker.close();
}

test('a waiting or soon due job is live; a much later one is delivered; a missing one is lost', async () => {
  await add('job-waits');
  await add('job-soon', { delay: 30_000 });
  await add('job-later', { delay: 600_000 });
  const ids = ['job-waits', 'job-soon', 'job-later', 'job-none'];
  expect(await findStates(redis, [queue], ids, 10_000)).toEqual(['live', 'live', 'delivered', 'lost']);
  expect(await findMissing(redis, [queue], ids)).toEqual(new Set(['job-none']));
  await queue.pause();
  expect(await stateOf('job-waits')).toBe('delivered');
  await queue.resume();
  await queue.obliterate({ force: true });
});

test('an ended job is delivered, unless its call could not be decided', async () => {
  await add('job-done');
  await work(() => Promise.resolve(), ['job-done']);
  await add('job-failed');
  await work(() => Promise.reject(new Error('a bug')), ['job-failed']);
  await add('job-undecided');
  await work(() => Promise.reject(new Error(`${UNDECIDED}Postgres is away`)), ['job-undecided']);
  expect(await stateOf('job-done')).toBe('delivered');
  expect(await stateOf('job-failed')).toBe('delivered');
  expect(await stateOf('job-undecided')).toBe('lost');
  expect(await findMissing(redis, [queue], ['job-done', 'job-failed', 'job-undecided'])).toEqual(new Set());
});
