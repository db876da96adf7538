import { createWorld, type World } from '../support/app.js';
import { buildCaller } from '../support/call-builders.js';
import { bearer } from '../support/calling.js';
import { eventually } from '../support/eventually.js';
import { RealProcesses, type Running } from '../support/processes.js';

const CALLS = 200;
const LANES = 15;

let world: World;
let processes: RealProcesses;

beforeAll(async () => {
  world = await createWorld();
  processes = await RealProcesses.of(world);
}, 120_000);

afterAll(async () => {
  await processes.close();
  await world.close();
});

async function triggerOver(api: Running, path: string, key: string, phoneNumber: string): Promise<string> {
  const response = await fetch(api.url + path, {
    method: 'POST',
    headers: { ...bearer(key), 'Content-Type': 'application/json' },
    body: JSON.stringify({ phoneNumber }),
  });
  const body = (await response.json()) as { callRequestId: string };
  expect([response.status, body]).toEqual([200, expect.objectContaining({ success: true })]);
  return body.callRequestId;
}

test('two API and two worker processes share 200 calls, and each call is dialed once', async () => {
  const { agentId, apiKey } = await buildCaller(world.db, { monthly_call_limit: CALLS });
  const [first, second, worker] = await Promise.all([
    processes.start('api'),
    processes.start('api'),
    processes.start('worker'),
    processes.start('worker'),
  ]);
  const path = `/api/voice-agents/${agentId}/calls`;
  const ids: string[] = [];
  // As many lanes as leave no request waiting for a connection for long, on the slowest machine.
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    for (let n = lane; n < CALLS; n += LANES) {
      const phoneNumber = `+1415555${String(2_000 + n)}`;
      ids.push(await triggerOver(n % 2 === 0 ? first : second, path, apiKey, phoneNumber));
    }
  });
  await Promise.all(lanes);

  const counts = await eventually(
    () =>
      world.db.query<{ status: string; count: number }[]>(
        'SELECT status, count(*)::integer FROM call_requests GROUP BY status',
      ),
    (rows) => rows.every(({ status }) => status === 'completed'),
    30_000,
  );
  expect(counts).toEqual([{ status: 'completed', count: CALLS }]);
  const dialed = processes.dials().map(({ callRequestId }) => callRequestId);
  expect(dialed.sort()).toEqual(ids.sort());
  // The limit was one for both API processes.
  const usage = await world.db.query<object[]>('SELECT sum(used)::integer AS used FROM plan_usage');
  expect(usage).toEqual([{ used: CALLS }]);
  const byWorker = processes
    .outputsOf('worker')
    .map((output) => output.split('"result":"claimed"').length - 1);
  expect(byWorker.reduce((sum, count) => sum + count)).toBe(CALLS);
  for (const count of byWorker) expect(count).toBeGreaterThan(0);
  for (const { url } of [first, worker]) {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(/^process_cpu_seconds_total [\d.]+$/m);
    expect(metrics).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
  }
});
