import { type INestApplicationContext } from '@nestjs/common';
import { SweeperService } from '../../src/calls/recovery/sweeper.service.js';
import { CallQueue } from '../../src/queue/call-queue.js';
import { Calling, NEVER_MS } from '../support/calling.js';
import { knowsRedis } from '../support/idle-worker.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { moveClock } from '../support/clock.js';
import { eventually } from '../support/eventually.js';

const GRACE_MS = 1_000;

// One call a second: nearly all of them wait in the queue for as long as a test lasts.
let calling: Calling;
let worker: INestApplicationContext;
let caller: Caller;

beforeEach(async () => {
  calling = await Calling.start({ simulatorCallsPerSecond: 1, sweeperGraceMs: GRACE_MS });
  worker = await calling.startWorker({ sweeperIntervalMs: NEVER_MS });
  await knowsRedis(worker);
  caller = await buildCaller(calling.db);
});
afterEach(() => calling.close());

const sweep = () => worker.get(SweeperService).sweep();
const pacedQueue = () => {
  const queue = worker.get(CallQueue).queues.find(({ name }) => name === 'calls-simulator');
  if (queue === undefined) throw new Error('no paced queue');
  return queue;
};
const pending = async () => (await calling.rows(caller.teamId)).filter(({ status }) => status === 'queued');

/** Accepts calls and waits until those that cannot be dialed yet wait for their carrier. */
async function backlog(count: number): Promise<void> {
  for (let call = 0; call < count; call += 1) await calling.accepted(caller, { phoneNumber: nextNumber() });
  await eventually(
    () => calling.queue.getJobCounts('prioritized', 'active'),
    ({ prioritized, active }) => prioritized === 0 && active === 0,
  );
}

test('the sweeper does not wake a call whose job waits in the queue', async () => {
  await backlog(25);
  await moveClock(calling.db, '30 seconds');
  for (let run = 0; run < 3; run += 1) expect(await sweep()).toMatchObject({ woken: 0 });
  const waiting = await pending();
  expect(waiting.length).toBeGreaterThan(10);
  for (const row of waiting) expect(row).toMatchObject({ generation: 0, wakes: 0 });
});

test('the sweeper skips a job that fair scheduling admits within a minute, but not one that it admits later', async () => {
  await backlog(25);
  const [soon, late] = (await pending()).slice(-2).map(({ id }) => id) as [string, string];
  for (const [id, delay] of [
    [soon, 50_000],
    [late, 120_000],
  ] as const) {
    await pacedQueue().remove(`call-${id}-0`);
    await calling.queue.remove(`call-${id}-0`);
    await calling.queue.add('dial', { callRequestId: id, generation: 0 }, { jobId: `call-${id}-0`, delay });
  }
  await moveClock(calling.db, '30 seconds');
  expect(await sweep()).toMatchObject({ woken: 1 });
  expect(await calling.row(soon)).toMatchObject({ generation: 0 });
  expect(await calling.row(late)).toMatchObject({ generation: 1 });
});

test('the sweeper wakes a call whose job is gone, however many others wait', async () => {
  await backlog(25);
  await moveClock(calling.db, '30 seconds');
  const lost = (await pending()).at(-1)?.id ?? '';
  await pacedQueue().remove(`call-${lost}-0`);
  expect(await sweep()).toMatchObject({ woken: 1 });
  expect(await calling.row(lost)).toMatchObject({ generation: 1 });
});

test('the sweeper ignores jobs of a paused queue', async () => {
  await backlog(15);
  await pacedQueue().pause();
  await moveClock(calling.db, '30 seconds');
  const { woken } = await sweep();
  expect(woken).toBeGreaterThan(5);
});

test('the sweeper wakes a call after 360 times the grace even if Redis still has its job', async () => {
  await backlog(15);
  await moveClock(calling.db, `${361 * GRACE_MS} milliseconds`);
  const { woken } = await sweep();
  expect(woken).toBeGreaterThan(5);
  for (const row of await pending()) expect(row.generation).toBeLessThanOrEqual(1);
});
