import { createWorld, type World } from '../support/app.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer } from '../support/calling.js';
import { nextNumber } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { RealProcesses, type Running } from '../support/processes.js';
import { startTcpProxy } from '../support/tcp-proxy.js';

const SLOW_DIAL_MS = 3_000;

let world: World;
let processes: RealProcesses;
let caller: Caller;
let api: Running;

beforeAll(async () => {
  world = await createWorld();
  processes = await RealProcesses.of(world);
  caller = await buildCaller(world.db);
  api = await processes.start('api');
}, 120_000);

afterAll(async () => {
  await processes.close();
  await world.close();
});

async function trigger(): Promise<string> {
  const response = await fetch(`${api.url}/api/voice-agents/${caller.agentId}/calls`, {
    method: 'POST',
    headers: { ...bearer(caller.apiKey), 'Content-Type': 'application/json' },
    body: JSON.stringify({ phoneNumber: nextNumber() }),
  });
  return ((await response.json()) as { callRequestId: string }).callRequestId;
}

const row = async (id: string) => {
  const [found] = await world.db.query<{ status: string; history: { to: string; cause: string }[] }[]>(
    'SELECT status, history FROM call_requests WHERE id = $1',
    [id],
  );
  return found!;
};
const statusOf = async (id: string) => (await row(id)).status;
const dialsOf = (id: string) => processes.dials().filter((dial) => dial.callRequestId === id).length;

test('a worker that is stopped finishes its current dial, starts no other, and ends with 0', async () => {
  const worker = await processes.start('worker', {
    WORKER_CONCURRENCY: '1',
    SIMULATOR_ACCEPT_MS: String(SLOW_DIAL_MS),
  });
  const inFlight = await trigger();
  await eventually(
    () => statusOf(inFlight),
    (status) => status === 'dialing',
  );
  const waiting = await trigger();

  const toldAt = performance.now();
  worker.child.kill('SIGTERM');
  // A load balancer, or a person, sees it at once.
  const readiness = await eventually(
    async () => {
      const response = await fetch(`${worker.url}/health/ready`);
      return { status: response.status, text: await response.text() };
    },
    ({ status }) => status === 503,
    SLOW_DIAL_MS - 500,
  );
  expect(readiness.text).toContain('is stopping');
  // An impatient supervisor, or a second Ctrl-C, changes nothing.
  worker.child.kill('SIGTERM');
  worker.child.kill('SIGINT');

  expect((await worker.ended).code).toBe(0);
  expect(performance.now() - toldAt).toBeLessThan(20_000);
  const { history } = await row(inFlight);
  expect(history.map(({ cause }) => cause)).toEqual(expect.arrayContaining(['claimed', 'carrier_accepted']));
  expect(dialsOf(inFlight)).toBe(1);
  expect([await statusOf(waiting), dialsOf(waiting)]).toEqual(['queued', 0]);

  const successor = await processes.start('worker');
  await eventually(
    () => statusOf(waiting),
    (status) => status === 'completed',
  );
  expect([dialsOf(inFlight), dialsOf(waiting)]).toEqual([1, 1]);
  successor.child.kill('SIGTERM');
  expect((await successor.ended).code).toBe(0);
});

test('a worker whose port is in use ends before its first job', async () => {
  const waiting = await trigger();
  const taken = new URL(api.url).port;
  await expect(processes.start('worker', { WORKER_PORT: taken })).rejects.toThrow(
    /ended with 1:[^]*EADDRINUSE/,
  );
  expect([await statusOf(waiting), dialsOf(waiting)]).toEqual(['queued', 0]);
});

test('a worker stops in time although its Redis is unreachable', async () => {
  const proxy = await startTcpProxy(world.config.redisUrl);
  try {
    const worker = await processes.start('worker', { REDIS_URL: proxy.url });
    await proxy.cut();
    const toldAt = performance.now();
    worker.child.kill('SIGTERM');
    const { code } = await worker.ended;
    expect([code, performance.now() - toldAt < 20_000]).toEqual([0, true]);
  } finally {
    await proxy.close();
  }
});
