import { buildCaller } from '../support/call-builders.js';
import { createWorld, type World } from '../support/app.js';
import { nextNumber } from '../support/builders.js';
import { bearer } from '../support/calling.js';
import { eventually } from '../support/eventually.js';
import { RealProcesses } from '../support/processes.js';

let world: World;
let processes: RealProcesses;

beforeAll(async () => {
  world = await createWorld();
  processes = await RealProcesses.of(world);
}, 180_000);
afterAll(async () => {
  await processes.close();
  await world.close();
});

test('the calls of a simulator whose worker was killed end soon after they would have', async () => {
  const caller = await buildCaller(world.db);
  const quick = { SWEEPER_GRACE_MS: '1000' };
  const api = await processes.start('api');
  const worker = await processes.start('worker', { ...quick, SIMULATOR_TALK_MS: '4000' });
  const response = await fetch(`${api.url}/api/voice-agents/${caller.agentId}/calls`, {
    method: 'POST',
    headers: { ...bearer(caller.apiKey), 'Content-Type': 'application/json' },
    body: JSON.stringify({ phoneNumber: nextNumber() }),
  });
  const { callRequestId } = (await response.json()) as { callRequestId: string };
  const row = async () => {
    const [found] = await world.db.query<{ status: string; seconds: number; causes: string[] }[]>(
      `SELECT status, extract(epoch FROM ended_at - claimed_at)::float8 AS seconds,
        ARRAY(SELECT entry->>'cause' FROM jsonb_array_elements(history) entry) AS causes
       FROM call_requests WHERE id = $1`,
      [callRequestId],
    );
    return found!;
  };
  await eventually(row, ({ status }) => status === 'in_progress', 30_000);
  worker.child.kill('SIGKILL');
  await worker.ended;
  await processes.start('worker', quick);
  const ended = await eventually(row, ({ status }) => status !== 'in_progress', 60_000);
  expect(ended).toMatchObject({
    status: 'completed',
    causes: expect.arrayContaining(['carrier_listing']) as string[],
  });
  // By the simulator's clock, not by that of the look-up.
  expect(ended.seconds).toBeLessThan(9);
  expect(processes.dials()).toHaveLength(1);
}, 180_000);
