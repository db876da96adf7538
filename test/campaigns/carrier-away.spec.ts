import { Circuits, FIRST_PAUSE } from '../../src/carriers/circuits.service.js';
import { SimulatorServer } from '../../src/carriers/simulator/simulator-server.js';
import { WorkerEngineWakeUps } from '../../src/queue/engine-channel.js';
import { freePort } from '../../tools/services/ports.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { Calling, NEVER_MS } from '../support/calling.js';
import { IdleWorker, knowsRedis } from '../support/idle-worker.js';
import { PlayedCampaign, runDue } from './support/played-campaign.js';

/*
 * The carrier is a process of its own that does not listen: no telephone has rung. Its own list of dials is
 * the witness. With calls a second and without, because a paced carrier is asked for a pacing slot first.
 */

const SECOND = 1_000;

let calling: Calling;
let port: number;
let caller: Caller;
let campaign: PlayedCampaign;
let worker: IdleWorker;
let simulator: SimulatorServer | undefined;

async function dialed(): Promise<string[]> {
  const answer = await fetch(`http://127.0.0.1:${port}/dials`);
  const { items } = (await answer.json()) as { items: { to: string }[] };
  return items.map(({ to }) => to);
}

describe.each([
  ['without a limit', undefined],
  ['with calls a second', 20],
])('carrier away, %s', (_, simulatorCallsPerSecond) => {
  beforeEach(async () => {
    port = await freePort();
    calling = await Calling.start({ simulatorUrl: `http://127.0.0.1:${port}`, simulatorCallsPerSecond });
    caller = await buildCaller(calling.db, { monthly_call_limit: 100 });
    campaign = await PlayedCampaign.build(calling, caller, { steps: [{ key: 'first', after: 'PT0S' }] });
    await calling.queue.pause();
    const app = await calling.world.startWorker({ sweeperIntervalMs: NEVER_MS });
    await knowsRedis(app);
    app.get(WorkerEngineWakeUps, { strict: false }).close();
    worker = new IdleWorker(app);
  });
  afterEach(async () => {
    await calling.close();
    await simulator?.close();
    simulator = undefined;
  });

  test('the first call ends failed, and its usage is released; then no call is made for the others until the carrier is back', async () => {
    const first = await campaign.enroll();
    await campaign.at(worker.app, 0);
    await runDue(worker.app);
    const [call] = await calling.rows(caller.teamId);
    expect(call).toMatchObject({
      status: 'failed',
      reason: 'CARRIER_UNREACHABLE',
      processed_at: null,
      generation: 0,
    });
    expect(Object.values(await calling.usage(caller.teamId))).toEqual([0]);
    const row = await campaign.row(first.id);
    expect(row).toMatchObject({ status: 'active', waiting_for: 'carrier' });
    expect(row.next_attempt_at!.getTime()).toBe((call!.ended_at as Date).getTime() + 5 * SECOND);

    const others = [await campaign.enroll(), await campaign.enroll(), await campaign.enroll()];
    await runDue(worker.app);
    expect(await calling.rows(caller.teamId)).toHaveLength(1);
    for (const { id } of others) {
      const { waiting_for: waitingFor, next_attempt_at: next, look_at: look } = await campaign.row(id);
      expect(waitingFor).toBe('carrier');
      expect(look).toEqual(next);
      expect(next!.getTime()).toBeLessThanOrEqual(Date.now() + 2 * FIRST_PAUSE);
    }

    simulator = new SimulatorServer({ acceptMs: 5, ringMs: 60_000 });
    await simulator.listen(port, '127.0.0.1');
    Reflect.set(worker.app.get(Circuits, { strict: false }), 'now', () => performance.now() + FIRST_PAUSE);
    await campaign.at(worker.app, 3 * FIRST_PAUSE);
    await campaign.at(worker.app, 6 * FIRST_PAUSE);
    expect((await dialed()).sort()).toEqual([first, ...others].map(({ to }) => to).sort());
    expect(Object.values(await calling.usage(caller.teamId))).toEqual([4]);
  });

  test('a probe that fails opens the circuit for twice as long', async () => {
    const { id } = await campaign.enroll();
    await campaign.at(worker.app, 0);
    await runDue(worker.app);
    Reflect.set(worker.app.get(Circuits, { strict: false }), 'now', () => performance.now() + FIRST_PAUSE);
    await campaign.at(worker.app, 6 * SECOND);
    await runDue(worker.app);
    const calls = await calling.rows(caller.teamId);
    expect(calls.map(({ reason }) => reason)).toEqual(['CARRIER_UNREACHABLE', 'CARRIER_UNREACHABLE']);
    const row = await campaign.row(id);
    expect(row.next_attempt_at!.getTime()).toBe((calls[1]!.ended_at as Date).getTime() + 10 * SECOND);
    // By its own pause it is due again, but the circuit is open for longer than that from now.
    await campaign.at(worker.app, 17 * SECOND);
    expect(await calling.rows(caller.teamId)).toHaveLength(2);
    expect(await campaign.row(id)).toMatchObject({ status: 'active', waiting_for: 'carrier' });
  });
});
