import { Circuits, FIRST_PAUSE } from '../../src/carriers/circuits.service.js';
import { OutcomeService } from '../../src/dialing/outcome/outcome.service.js';
import { SimulatorServer } from '../../src/carriers/simulator/simulator-server.js';
import { freePort } from '../../tools/services/ports.js';
import { HTTP_SECRET } from '../carriers/support.js';
import { Calling, type CallRow, NEVER_MS } from '../support/calling.js';
import { IdleWorker, knowsRedis } from '../support/idle-worker.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { moveClock } from '../support/clock.js';
import { eventually } from '../support/eventually.js';

/*
 * The carrier is a process of its own that does not listen. A dial finds no connection, so no telephone has
 * rung. The call waits until the carrier is back.
 */

let calling: Calling;
let port: number;
let caller: Caller;
let simulator: SimulatorServer | undefined;

beforeEach(async () => {
  port = await freePort();
  calling = await Calling.start({ simulatorUrl: `http://127.0.0.1:${port}` });
  caller = await buildCaller(calling.db, { monthly_call_limit: 100 });
});
afterEach(async () => {
  await calling.close();
  await simulator?.close();
  simulator = undefined;
});

const transitionsOf = ({ history }: CallRow) => history.map(({ to, cause }) => `${to} (${cause})`);
const REQUEUED = ['queued (triggered)', 'dialing (claimed)', 'queued (carrier_unreachable)'];

async function idleWorker(): Promise<IdleWorker> {
  await calling.queue.pause();
  const app = await calling.world.startWorker({ sweeperIntervalMs: NEVER_MS });
  await knowsRedis(app);
  return new IdleWorker(app);
}

async function carrierIsBack(): Promise<SimulatorServer> {
  const server = new SimulatorServer({ acceptMs: 5, ringMs: 60_000 });
  await server.listen(port, '127.0.0.1');
  simulator = server;
  return server;
}

async function dialed(): Promise<string[]> {
  const answer = await fetch(`http://127.0.0.1:${port}/dials`);
  const { items } = (await answer.json()) as { items: { callRequestId: string }[] };
  return items.map(({ callRequestId }) => callRequestId);
}

const accepted = (count: number) =>
  Promise.all(Array.from({ length: count }, () => calling.accepted(caller, { phoneNumber: nextNumber() })));

test('a call whose carrier refuses connections is pending again with a pause of 5 seconds', async () => {
  const worker = await idleWorker();
  const [id = ''] = await accepted(1);
  const before = await calling.row(id);
  expect(await worker.fire(id)).toEqual({ kind: 'claimed' });
  const after = await calling.row(id);
  expect(transitionsOf(after)).toEqual(REQUEUED);
  expect(after).toEqual({
    ...before,
    generation: 1,
    woken_at: after.woken_at,
    history: [...before.history, ...after.history.slice(1)],
    decisions: [...before.decisions, ...after.decisions.slice(1)],
  });
  expect(Object.values(await calling.usage(caller.teamId))).toEqual([1]);
  const job = await calling.queue.getJob(`call-${id}-1`);
  expect(job?.opts.delay).toBeGreaterThanOrEqual(5_000);
  expect(job?.opts.delay).toBeLessThan(6_500);
});

test('the pause doubles from 5 seconds to 5 minutes', async () => {
  const worker = await idleWorker();
  const [id = ''] = await accepted(1);
  const delays: number[] = [];
  for (let generation = 0; generation < 9; generation += 1) {
    // Its claim, as the worker commits it.
    await calling.db.query(
      `UPDATE call_requests SET status = 'dialing', claimed_at = now(), processed_at = now(), caller_id = phone_number
       WHERE id = $1`,
      [id],
    );
    const outcomes = worker.app.get(OutcomeService);
    delays.push((await outcomes.requeue(id, generation, 'carrier_unreachable', 0))?.delayMs ?? 0);
  }
  expect(delays[0]).toBeGreaterThanOrEqual(5_000);
  for (let time = 1; time <= 5; time += 1) expect(delays[time]! / delays[time - 1]!).toBeCloseTo(2, 5);
  expect(delays.slice(6)).toEqual([300_000, 300_000, 300_000]);
});

test('other calls are not claimed while the carrier is away, and the sweeper does not wake them early', async () => {
  const worker = await idleWorker();
  const [first = '', ...others] = await accepted(5);
  expect(await worker.fire(first)).toEqual({ kind: 'claimed' });
  for (const id of others) {
    const before = await calling.row(id);
    const result = await worker.fire(id);
    expect(result.kind).toBe('put_off');
    const after = await calling.row(id);
    expect(after).toEqual({ ...before, woken_at: after.woken_at });
    expect((after.woken_at as Date).getTime()).toBeGreaterThan((before.woken_at as Date).getTime() + 1_000);
  }
  await calling.queue.obliterate({ force: true });
  await moveClock(calling.db, '1 second');
  expect(await worker.sweep()).toMatchObject({ woken: 0 });
  await moveClock(calling.db, '1 minute');
  expect(await worker.sweep()).toMatchObject({ woken: 5 });
});

test('a call that waits for its carrier can be canceled, and expires', async () => {
  const worker = await idleWorker();
  const [one = '', other = ''] = await accepted(2);
  expect(await worker.fire(one)).toEqual({ kind: 'claimed' });
  await calling.cancel(caller, one).expect(200);
  expect((await worker.fire(other)).kind).toBe('put_off');
  await moveClock(calling.db, '24 hours 1 second');
  expect(await worker.sweep()).toMatchObject({ expired: 1 });
  expect(await calling.row(other)).toMatchObject({ status: 'expired' });
  expect(Object.values(await calling.usage(caller.teamId))).toEqual([0]);
});

test.each([
  ['is rolled back', `RAISE 'not now'`],
  ['is lost', 'RETURN NULL'],
])('a probe whose claim %s is followed by another one at once', async (_, refuse) => {
  const worker = await idleWorker();
  const [one = '', other = ''] = await accepted(2);
  await carrierIsBack();
  const circuits = worker.app.get(Circuits, { strict: false });
  circuits.report('simulator', false);
  Reflect.set(circuits, 'now', () => performance.now() + FIRST_PAUSE);
  await calling.db.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${refuse}; END $$`,
  );
  await calling.db.query(
    `CREATE TRIGGER refuse BEFORE UPDATE ON call_requests FOR EACH ROW WHEN (NEW.status = 'dialing')
       EXECUTE FUNCTION refuse()`,
  );
  const fired = await worker.fire(one).catch(() => null);
  expect([null, { kind: 'ignored', why: 'lost_claim' }]).toContainEqual(fired);
  await calling.db.query('DROP TRIGGER refuse ON call_requests');
  expect(await worker.fire(other)).toEqual({ kind: 'claimed' });
  expect(await dialed()).toEqual([other]);
});

test('each call is dialed once after the carrier is back', async () => {
  const ids = await accepted(30);
  await calling.world.startWorker();
  await eventually(
    () => Promise.all(ids.map((id) => calling.row(id))),
    (rows) => rows.some(({ generation }) => generation > 0),
  );
  const claims = async () => {
    const rows = await Promise.all(ids.map((id) => calling.row(id)));
    return rows.flatMap(({ history }) => history.filter(({ cause }) => cause === 'claimed')).length;
  };
  // No more than were under way at once when the first of them found the carrier away.
  expect(await claims()).toBeLessThanOrEqual(calling.world.config.workerConcurrency);
  await carrierIsBack();
  await eventually(
    () => Promise.all(ids.map((id) => calling.row(id))),
    (rows) => rows.every(({ status }) => status === 'in_progress'),
    40_000,
  );
  expect((await dialed()).sort()).toEqual([...ids].sort());
});

test('a request that was sent before the connection broke is not repeated', async () => {
  const worker = await idleWorker();
  const server = await carrierIsBack();
  const id = await calling.accepted(caller, { phoneNumber: nextNumber() });
  await fetch(`http://127.0.0.1:${port}/rules`, {
    method: 'PUT',
    body: JSON.stringify([{ match: '*', outcome: 'reset' }]),
  });
  expect(await worker.fire(id)).toEqual({ kind: 'claimed' });
  await server.close();
  simulator = undefined;
  expect(await calling.row(id)).toMatchObject({
    status: 'dial_unknown',
    reason: 'carrier_reset',
    generation: 0,
  });
  for (const generation of [0, 1]) {
    expect(await worker.fire(id, generation)).toEqual({ kind: 'ignored', why: 'not_pending' });
  }
});

test('an unreachable host of one agent does not delay the calls of another agent of the same carrier', async () => {
  await calling.queue.pause();
  const worker = new IdleWorker(
    await calling.world.startWorker({
      sweeperIntervalMs: NEVER_MS,
      httpCarrierSecret: HTTP_SECRET,
      publicUrl: 'http://127.0.0.1:1',
      httpCarrierAllowPrivate: true,
    }),
  );
  const alive = new SimulatorServer({ acceptMs: 5, ringMs: 60_000, signingSecret: HTTP_SECRET });
  const alivePort = await alive.listen(0, '127.0.0.1');
  simulator = alive;
  const agents = await Promise.all(
    [port, alivePort].map((where) => {
      const url = `http://127.0.0.1:${where}/v1/calls`;
      return buildCaller(calling.db, {}, { carrier: 'http', carrier_settings: JSON.stringify({ url }) });
    }),
  );
  const [dead, living] = await Promise.all(
    agents.map((agent) => calling.accepted(agent, { phoneNumber: nextNumber() })),
  );
  await worker.fire(dead!);
  expect(transitionsOf(await calling.row(dead!))).toEqual(REQUEUED);
  await worker.fire(living!);
  expect(await calling.row(living!)).toMatchObject({ status: 'in_progress' });
});
