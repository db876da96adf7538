import { type INestApplicationContext } from '@nestjs/common';
import { OutcomeService } from '../../src/dialing/outcome/outcome.service.js';
import { Calling, type CallRow, NEVER_MS, simulatorOf } from '../support/calling.js';
import { type IdleWorker } from '../support/idle-worker.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller, hoursOpeningIn } from '../support/call-builders.js';
import { moveClock, setClock } from '../support/clock.js';
import { eventually } from '../support/eventually.js';

let calling: Calling;

/** Each block has an application of its own, which its tests share. */
function applicationOfItsOwn(): void {
  beforeAll(async () => {
    calling = await Calling.start();
  });
  afterAll(() => calling.close());
}

const THROTTLED = ['queued (triggered)', 'dialing (claimed)', 'queued (carrier_throttled)'];
const transitionsOf = ({ history }: CallRow) => history.map(({ to, cause }) => `${to} (${cause})`);
const usedBy = async ({ teamId }: Caller) => Object.values(await calling.usage(teamId));

/** A rule under which the carrier takes no calls at all, and says for how long. */
const FULL = { match: '*', outcome: 'throttled' as const };

describe('a throttled call with a running worker', () => {
  let worker: INestApplicationContext;
  applicationOfItsOwn();
  beforeAll(async () => {
    worker = await calling.startWorker({ sweeperIntervalMs: NEVER_MS });
  });

  test('is dialed later, once, and counts once against every limit', async () => {
    const caller = await buildCaller(calling.db, { monthly_call_limit: 1, number_daily_limit: 1 });
    const phoneNumber = nextNumber();
    calling.setRules({ ...FULL, retryAfterMs: 300 });
    const id = await calling.accepted(caller, { phoneNumber });
    const waiting = await eventually(
      () => calling.row(id),
      ({ generation }) => generation >= 1,
    );
    expect(calling.dials(phoneNumber)).toEqual([]);
    expect(waiting).toMatchObject({ status: 'queued', processed_at: null, claimed_at: null, carrier: null });
    calling.setRules();
    const call = await calling.until(caller, id, 'completed');
    expect(call.callerId).toBe(caller.callerNumber);
    expect(calling.dials(phoneNumber)).toHaveLength(1);
    const row = await calling.row(id);
    expect(transitionsOf(row).slice(0, 3)).toEqual(THROTTLED);
    expect(transitionsOf(row).slice(-3)).toEqual([
      'dialing (claimed)',
      'in_progress (carrier_accepted)',
      'completed (carrier_report)',
    ]);
    expect(await usedBy(caller)).toEqual([1]);
  });

  test('waits as long as the carrier requests, also when the sweeper runs', async () => {
    const sweeping = await calling.startWorker({ sweeperIntervalMs: 50 });
    for (const app of [worker, sweeping]) simulatorOf(app).setRules([{ ...FULL, retryAfterMs: 1_500 }]);
    const caller = await buildCaller(calling.db);
    const id = await calling.accepted(caller, { phoneNumber: nextNumber() });
    const claims = async () => (await calling.row(id)).history.filter(({ cause }) => cause === 'claimed');
    const [first, second] = await eventually(claims, ({ length }) => length >= 2);
    const waitedMs = Date.parse(second!.at) - Date.parse(first!.at);
    expect(waitedMs).toBeGreaterThanOrEqual(1_500);
  });
});

describe('a throttled call', () => {
  let worker: IdleWorker;
  let caller: Caller;
  let phoneNumber: string;
  applicationOfItsOwn();
  beforeAll(async () => {
    worker = await calling.startIdleWorker();
  });
  beforeEach(async () => {
    calling.setRules({ ...FULL, retryAfterMs: 5_000 });
    caller = await buildCaller(calling.db, { monthly_call_limit: 1 });
    phoneNumber = nextNumber();
  });
  afterEach(() => moveClock(calling.db, '0'));

  async function throttled(): Promise<string> {
    const id = await calling.accepted(caller, { phoneNumber });
    expect(await worker.fire(id)).toEqual({ kind: 'claimed' });
    return id;
  }

  test('is pending again: its claim is undone; its due time and its plan usage stay', async () => {
    const id = await calling.accepted(caller, { phoneNumber });
    const before = await calling.row(id);
    await worker.fire(id);
    const after = await calling.row(id);
    expect(after).toEqual({
      ...before,
      generation: 1,
      woken_at: after.woken_at,
      history: [...before.history, ...after.history.slice(1)],
      decisions: [...before.decisions, ...after.decisions.slice(1)],
    });
    expect(transitionsOf(after)).toEqual(THROTTLED);
    expect(await usedBy(caller)).toEqual([1]);
    expect((await calling.get(caller, id)).body).toMatchObject({
      status: 'queued',
      callerId: null,
      prompt: null,
    });
  });

  test('has a wake-up of the new generation, due when the carrier accepts calls again', async () => {
    const id = await throttled();
    const job = await calling.queue.getJob(`call-${id}-1`);
    expect(job?.data).toMatchObject({ callRequestId: id, generation: 1 });
    expect(job?.opts.delay).toBeGreaterThanOrEqual(5_000);
    expect(job?.opts.delay).toBeLessThan(6_500);
  });

  test('waits longer each time', async () => {
    calling.setRules({ ...FULL, retryAfterMs: 0 });
    const id = await throttled();
    const delays = [];
    for (let generation = 1; generation <= 4; generation += 1) {
      delays.push((await calling.queue.getJob(`call-${id}-${generation}`))?.opts.delay ?? 0);
      await worker.fire(id, generation);
    }
    for (const [index, delay] of delays.slice(1).entries()) {
      expect(delay / delays[index]!).toBeCloseTo(2, 1);
    }
  });

  test('can be canceled, and is then neither dialed nor counted', async () => {
    const id = await throttled();
    calling.setRules();
    await calling.cancel(caller, id).expect(200);
    expect(await worker.fire(id, 1)).toEqual({ kind: 'ignored', why: 'not_pending' });
    expect(calling.dials(phoneNumber)).toEqual([]);
    expect(await usedBy(caller)).toEqual([0]);
  });

  test('expires if it is not dialed before its expiry', async () => {
    await setClock(calling.db, '2026-03-02T12:00:00Z');
    const id = await throttled();
    calling.setRules();
    await setClock(calling.db, '2026-03-03T12:00:01Z');
    expect((await worker.sweep()).expired).toBe(1);
    expect(await calling.row(id)).toMatchObject({ status: 'expired', counted_month: null });
    expect(calling.dials(phoneNumber)).toEqual([]);
  });

  test('is blocked after its number was added to the Do Not Call list', async () => {
    const id = await throttled();
    calling.setRules();
    await calling.operated('post', `/teams/${caller.teamId}/do-not-call`, { phoneNumbers: [phoneNumber] });
    expect(await calling.row(id)).toMatchObject({ status: 'blocked', reason: 'DO_NOT_CALL' });
    expect(await worker.fire(id, 1)).toMatchObject({ kind: 'ignored' });
  });

  test('waits for calling hours if they have ended', async () => {
    const id = await throttled();
    calling.setRules();
    const hours = hoursOpeningIn(5);
    await calling.operated('patch', `/teams/${caller.teamId}/voice-agents/${caller.agentId}`, {
      callingHours: hours.calling_hours,
      timezone: 'UTC',
    });
    expect(await worker.fire(id, 1)).toEqual({ kind: 'rescheduled' });
    expect(calling.dials(phoneNumber)).toEqual([]);
  });

  test('is not fired by its earlier wake-up', async () => {
    const id = await throttled();
    calling.setRules();
    expect(await worker.fire(id, 0)).toEqual({ kind: 'ignored', why: 'old_generation' });
    expect(calling.dials(phoneNumber)).toEqual([]);
  });

  test('is dialed before any other call to the number', async () => {
    await throttled();
    const other = await buildCaller(calling.db);
    expect((await calling.trigger(other, { phoneNumber })).status).toBe(200);
    await calling.operated('patch', `/teams/${caller.teamId}`, { monthlyCallLimit: 5 });
    expect((await calling.trigger(caller, { phoneNumber })).body).toMatchObject({
      reason: 'ALREADY_SCHEDULED',
    });
  });

  test('keeps its second claim when the outcome of the first is recorded twice', async () => {
    const id = await throttled();
    calling.setRules({ match: '*', outcome: 'hang' });
    Object.assign(simulatorOf(worker.app), { timeoutMs: 5_000 });
    const second = worker.fire(id, 1);
    await calling.until(caller, id, 'dialing');
    expect(await worker.app.get(OutcomeService).requeue(id, 0, 'carrier_throttled', 0)).toBeNull();
    expect(await calling.row(id)).toMatchObject({ status: 'dialing', generation: 1 });
    await worker.app.get(OutcomeService).apply(id, { to: 'completed', cause: 'carrier_report' });
    expect(await worker.app.get(OutcomeService).requeue(id, 1, 'carrier_throttled', 0)).toBeNull();
    await second;
    expect(await calling.row(id)).toMatchObject({ status: 'completed', generation: 1 });
    expect(calling.dials(phoneNumber)).toHaveLength(1);
  });
});

describe('a call that is throttled while its worker dies', () => {
  applicationOfItsOwn();

  test('between the carrier’s 429 and its record becomes dial_unknown, and is not redialed', async () => {
    const worker = await calling.startIdleWorker();
    const { app } = worker;
    calling.setRules(FULL);
    const caller = await buildCaller(calling.db);
    const phoneNumber = nextNumber();
    const id = await calling.accepted(caller, { phoneNumber });
    // Its record never reaches Postgres, however often it is tried, as if the process were gone.
    const lost = jest
      .spyOn(OutcomeService.prototype, 'requeue')
      .mockReturnValue(new Promise(() => undefined));
    void worker.fire(id);
    await calling.until(caller, id, 'dialing');
    lost.mockRestore();
    calling.setRules();
    await calling.db.query(
      `UPDATE call_requests SET claimed_at = claimed_at - interval '1 minute' WHERE id = $1`,
      [id],
    );
    expect((await worker.sweep()).unknown).toBe(1);
    for (const generation of [0, 1]) {
      expect(await worker.fire(id, generation)).toEqual({ kind: 'ignored', why: 'not_pending' });
    }
    expect(await app.get(OutcomeService).requeue(id, 0, 'carrier_throttled', 0)).toBeNull();
    expect(await calling.row(id)).toMatchObject({ status: 'dial_unknown', generation: 0 });
    expect(calling.dials(phoneNumber)).toEqual([]);
  });
});
