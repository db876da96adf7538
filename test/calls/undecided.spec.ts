import { type INestApplicationContext } from '@nestjs/common';
import { DialProcessor } from '../../src/calls/fire/dial.processor.js';
import { SweeperService } from '../../src/calls/recovery/sweeper.service.js';
import { Calling, NEVER_MS } from '../support/calling.js';
import { knowsRedis } from '../support/idle-worker.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller } from '../support/call-builders.js';
import { moveClock } from '../support/clock.js';
import { eventually } from '../support/eventually.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';

const GRACE_MS = 1_000;

// One worker takes jobs, and its way to Postgres can be cut; another one sweeps, and takes none.
let calling: Calling;
let proxy: TcpProxy;
let sweeper: INestApplicationContext;

beforeAll(async () => {
  calling = await Calling.start({ sweeperGraceMs: GRACE_MS });
  proxy = await startTcpProxy(calling.world.config.databaseUrl);
  await calling.startWorker({ sweeperIntervalMs: NEVER_MS, databaseUrl: proxy.url });
  sweeper = await calling.startWorker({ sweeperIntervalMs: NEVER_MS });
  await sweeper.get(DialProcessor).stop();
  await knowsRedis(sweeper);
});
afterAll(async () => {
  await proxy.restore();
  await calling.close();
  await proxy.close();
});
afterEach(() => moveClock(calling.db, '0'));

const sweep = () => sweeper.get(SweeperService).sweep();
const stateOf = async (id: string, generation: number) =>
  (await calling.queue.getJob(`call-${id}-${generation}`))?.getState();

test('firings that fail with Postgres do not delay the next one, and the first after the outage dials', async () => {
  const caller = await buildCaller(calling.db);
  const phoneNumber = nextNumber();
  await proxy.cut();
  const id = await calling.accepted(caller, { phoneNumber });
  for (let generation = 0; generation < 5; generation += 1) {
    await eventually(
      () => stateOf(id, generation),
      (state) => state === 'failed',
    );
    await moveClock(calling.db, `${(generation + 1) * (GRACE_MS + 100)} milliseconds`);
    expect(await sweep()).toMatchObject({ woken: 1 });
    expect(await calling.row(id)).toMatchObject({ generation: generation + 1, wakes: 0 });
  }
  await eventually(
    () => stateOf(id, 5),
    (state) => state === 'failed',
  );
  await proxy.restore();
  await moveClock(calling.db, `${6 * (GRACE_MS + 100)} milliseconds`);
  expect(await sweep()).toMatchObject({ woken: 1 });
  await calling.until(caller, id, 'completed');
  expect(calling.dials(phoneNumber)).toHaveLength(1);
});

test('wake-ups that Redis has lost do not delay the next one', async () => {
  const caller = await buildCaller(calling.db);
  await calling.queue.pause();
  const id = await calling.accepted(caller, { phoneNumber: nextNumber() });
  for (let generation = 0; generation < 4; generation += 1) {
    await calling.queue.remove(`call-${id}-${generation}`);
    await moveClock(calling.db, `${(generation + 1) * (GRACE_MS + 100)} milliseconds`);
    expect(await sweep()).toMatchObject({ woken: 1 });
  }
  await calling.queue.resume();
  await calling.until(caller, id, 'completed');
});

test('a delivered wake-up that fails for other reasons delays the next one', async () => {
  const caller = await buildCaller(calling.db);
  await calling.queue.pause();
  const id = await calling.accepted(caller, { phoneNumber: nextNumber() });
  await calling.queue.remove(`call-${id}-0`);
  // As one that ended without effect.
  const job = await calling.queue.add(
    'dial',
    { callRequestId: id, generation: 99 },
    { jobId: `call-${id}-0` },
  );
  await calling.queue.resume();
  await eventually(
    () => job.getState(),
    (state) => state === 'completed',
  );
  await calling.queue.pause();
  await moveClock(calling.db, `${GRACE_MS + 100} milliseconds`);
  expect(await sweep()).toMatchObject({ woken: 1 });
  expect(await calling.row(id)).toMatchObject({ generation: 1, wakes: 1 });
  await moveClock(calling.db, `${2 * (GRACE_MS + 100)} milliseconds`);
  expect(await sweep()).toMatchObject({ woken: 0 });
});
