import { Redis } from 'ioredis';
import { RedisLossService } from '../../src/calls/recovery/redis-loss.service.js';
import { Calling, NEVER_MS } from '../support/calling.js';
import { knowsRedis } from '../support/idle-worker.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, hoursOpeningIn } from '../support/call-builders.js';
import { expectEachDialedOnce } from '../support/ended-calls.js';
import { eventually } from '../support/eventually.js';
import { clearRedisPrefix, testRedisUrl } from '../support/redis.js';

// A grace longer than any test: no dial here waited for it.
let calling: Calling;
let redis: Redis;

beforeEach(async () => {
  calling = await Calling.start({ sweeperGraceMs: NEVER_MS });
  redis = new Redis(testRedisUrl());
});
afterEach(async () => {
  redis.disconnect();
  await calling.close();
});

const { signal } = new AbortController();
const markerKey = () => `${calling.world.config.redisPrefix}:jobs-complete-in`;
const numbers = (count: number) => Array.from({ length: count }, nextNumber);

/** A worker that takes no jobs. */
async function restorer() {
  await calling.queue.pause();
  const { app } = await calling.startIdleWorker();
  return app.get(RedisLossService);
}

test('Redis is emptied under a running worker: due calls are dialed at once, and the others get their jobs again', async () => {
  await calling.startWorker();
  await eventually(
    () => redis.get(markerKey()),
    (marker) => marker !== null && !marker.startsWith('restoring'),
  );
  const open = await buildCaller(calling.db);
  const closed = await buildCaller(calling.db, {}, hoursOpeningIn(3));
  const [due, later] = [numbers(30), numbers(5)];
  await calling.queue.pause();
  await Promise.all(due.map((phoneNumber) => calling.accepted(open, { phoneNumber })));
  const scheduled = await Promise.all(later.map((phoneNumber) => calling.accepted(closed, { phoneNumber })));
  await clearRedisPrefix(calling.world.config.redisPrefix);
  await expectEachDialedOnce(calling, open.teamId);
  expect(calling.dials()).not.toEqual([]);
  for (const id of scheduled) {
    const job = await eventually(
      () => calling.queue.getJob(`call-${id}-0`),
      (found) => found !== undefined,
    );
    const dueAt = (job?.timestamp ?? 0) + (job?.delay ?? 0);
    const { runs_at: runsAt } = await calling.row(id);
    expect(Math.abs(dueAt - runsAt.getTime())).toBeLessThan(10_000);
  }
});

test('a new Redis with all jobs: no job is added, no row is written, and the check is not repeated', async () => {
  const restore = await restorer();
  const caller = await buildCaller(calling.db);
  const ids = await Promise.all(numbers(5).map((phoneNumber) => calling.accepted(caller, { phoneNumber })));
  const before = await Promise.all(ids.map((id) => calling.row(id)));
  await redis.set(markerKey(), 'the run id of before');
  expect(await restore.restore(signal)).toBe(0);
  expect(await Promise.all(ids.map((id) => calling.row(id)))).toEqual(before);
  expect((await redis.info('server')).includes(`run_id:${await redis.get(markerKey())}`)).toBe(true);
});

test('a new Redis without its last second: only missing jobs are added', async () => {
  const restore = await restorer();
  const caller = await buildCaller(calling.db);
  const [kept = '', lost = ''] = await Promise.all(
    numbers(2).map((phoneNumber) => calling.accepted(caller, { phoneNumber })),
  );
  await calling.queue.remove(`call-${lost}-0`);
  await redis.set(markerKey(), 'the run id of before');
  expect(await restore.restore(signal)).toBe(1);
  expect(await calling.queue.getJob(`call-${lost}-0`)).toBeDefined();
  expect(await calling.row(lost)).toMatchObject({ generation: 0 });
  expect(await calling.row(kept)).toMatchObject({ generation: 0 });
});

test('one of several workers restores the jobs, also of many batches', async () => {
  const one = await restorer();
  const other = await calling.startWorker({ sweeperIntervalMs: NEVER_MS });
  await knowsRedis(other);
  const caller = await buildCaller(calling.db);
  const first = await calling.accepted(caller, { phoneNumber: nextNumber() });
  // Alike but for their numbers: what matters is how many there are.
  await calling.db.query(
    `INSERT INTO call_requests SELECT (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid()))).*
     FROM call_requests r, generate_series(1, 1200) WHERE r.id = $1`,
    [first],
  );
  await redis.del(markerKey());
  await calling.queue.remove(`call-${first}-0`);
  const restored = await Promise.all([
    one.restore(signal),
    other.get(RedisLossService).restore(signal),
    one.restore(signal),
  ]);
  expect(restored.filter((woken) => woken > 0)).toEqual([1_201]);
  expect((await calling.queue.getJobCounts('prioritized')).prioritized).toBe(1_201);
});

test('calls of a paused team are not woken, and restored jobs keep their time', async () => {
  const restore = await restorer();
  const [paused, waiting] = [await buildCaller(calling.db), await buildCaller(calling.db)];
  const held = await calling.accepted(paused, { phoneNumber: nextNumber() });
  const requeued = await calling.accepted(waiting, { phoneNumber: nextNumber() });
  await calling.operated('post', `/teams/${paused.teamId}/pause`);
  await calling.db.query(`UPDATE call_requests SET woken_at = now() + interval '5 minutes' WHERE id = $1`, [
    requeued,
  ]);
  await calling.queue.obliterate({ force: true });
  await redis.del(markerKey());
  expect(await restore.restore(signal)).toBe(0);
  expect(await calling.queue.getJob(`call-${held}-0`)).toBeUndefined();
  const job = await calling.queue.getJob(`call-${requeued}-0`);
  expect(job?.opts.delay).toBeGreaterThan(280_000);
});
