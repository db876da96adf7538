import { acceptedId, Calling, reasonOf } from '../support/calling.js';
import { insertRow, nextNumber } from '../support/builders.js';
import { buildCaller, hoursOpeningIn } from '../support/call-builders.js';
import { moveClock, setClock } from '../support/clock.js';

// The worker takes no jobs and does not sweep in these tests.
const calling = Calling.ofFile();
const worker = calling.idleWorkerOfFile();

beforeEach(() => moveClock(calling.db, '0'));
afterEach(() => calling.setRules());

describe('expiry is the first check of a firing', () => {
  test('before a block, a rescheduling and an early wake-up', async () => {
    const caller = await buildCaller(calling.db, {}, hoursOpeningIn(3));
    const phoneNumber = nextNumber();
    const id = await calling.accepted(caller, { phoneNumber });
    await insertRow(calling.db, 'do_not_call', { team_id: caller.teamId, phone_number: phoneNumber });
    await calling.db.query('UPDATE call_requests SET expires_at = outdial_now() WHERE id = $1', [id]);
    expect(await worker.fire(id)).toEqual({ kind: 'expired' });
    const row = await calling.row(id);
    expect(row).toMatchObject({ status: 'expired', reason: null, decisions: [] });
    expect(row.ended_at).not.toBeNull();
    expect(row.history.at(-1)).toMatchObject({ from: 'scheduled', to: 'expired', cause: 'expired' });
    expect(calling.dials(phoneNumber)).toEqual([]);
  });

  test('exactly 24 hours after acceptance, to the millisecond', async () => {
    const caller = await buildCaller(calling.db);
    const [one, other] = [nextNumber(), nextNumber()];
    const ids = [
      await calling.accepted(caller, { phoneNumber: one }),
      await calling.accepted(caller, { phoneNumber: other }),
    ] as const;
    await calling.db.query(
      `UPDATE call_requests SET expires_at = '2031-01-01T00:00:00Z' WHERE team_id = $1`,
      [caller.teamId],
    );
    await calling.db.query(
      `CREATE OR REPLACE FUNCTION outdial_now() RETURNS timestamptz LANGUAGE sql VOLATILE PARALLEL SAFE
         AS $$ SELECT timestamptz '2030-12-31T23:59:59.999Z' $$`,
    );
    expect(await worker.fire(ids[0])).toEqual({ kind: 'claimed' });
    await setClock(calling.db, '2031-01-01T00:00:00.000Z');
    expect(await worker.fire(ids[1])).toEqual({ kind: 'expired' });
  });

  test.each(['team', 'platform'])('expires a call during a pause of the %s', async (whose) => {
    const caller = await buildCaller(calling.db);
    const phoneNumber = nextNumber();
    const id = await calling.accepted(caller, { phoneNumber });
    const path = whose === 'team' ? `/teams/${caller.teamId}` : '';
    await calling.operator('post', `${path}/pause`).expect(201);
    await moveClock(calling.db, '24 hours 1 second');
    expect(await worker.sweep()).toMatchObject({ expired: 1, woken: 0 });
    expect(await calling.row(id)).toMatchObject({ status: 'expired' });
    await calling.operator('post', `${path}/resume`).expect(201);
    expect(await worker.fire(id)).toEqual({ kind: 'ignored', why: 'not_pending' });
    expect(calling.dials(phoneNumber)).toEqual([]);
  });

  test('does not apply to a claimed call', async () => {
    const caller = await buildCaller(calling.db);
    calling.setRules({ match: '*', outcome: 'silent' });
    const id = await calling.accepted(caller, { phoneNumber: nextNumber() });
    await worker.fire(id);
    expect(await calling.row(id)).toMatchObject({ status: 'in_progress' });
    await calling.db.query('UPDATE call_requests SET expires_at = outdial_now() WHERE id = $1', [id]);
    expect(await worker.sweep()).toMatchObject({ expired: 0 });
    expect(await worker.fire(id)).toEqual({ kind: 'ignored', why: 'not_pending' });
    expect(await calling.row(id)).toMatchObject({ status: 'in_progress' });
  });
});

describe('an opening more than 7 days after acceptance', () => {
  const NOON = '2031-01-06T12:00:00.000Z';
  /** Closed on every date from today until `days` days later, by UTC. */
  const closedFor = (days: number, from = NOON) =>
    Array.from({ length: days }, (_, day) =>
      new Date(Date.parse(from) + day * 86_400_000).toISOString().slice(0, 10),
    );
  const close = (agentId: string, dates: string[]) =>
    calling.db.query('UPDATE voice_agents SET closed_dates = $1 WHERE id = $2', [dates, agentId]);

  beforeEach(() => setClock(calling.db, NOON));

  test('is accepted at the trigger, and dialed until 24 hours after it', async () => {
    const caller = await buildCaller(calling.db, {}, { closed_dates: closedFor(40) });
    const [punctual, late, over] = [nextNumber(), nextNumber(), nextNumber()];
    const ids = [];
    for (const phoneNumber of [punctual, late, over]) {
      const answer = await calling.trigger(caller, { phoneNumber });
      expect(answer.body).toMatchObject({ rescheduled: true, runsAt: '2031-02-15T00:00:00.000Z' });
      ids.push(acceptedId(answer));
    }
    const [first, second, third] = ids as [string, string, string];
    expect((await calling.row(first)).expires_at).toEqual(new Date('2031-02-16T00:00:00.000Z'));
    // Far beyond 7 days, and not yet due.
    await setClock(calling.db, '2031-02-14T23:00:00.000Z');
    expect(await worker.sweep()).toMatchObject({ expired: 0, woken: 0 });
    await setClock(calling.db, '2031-02-15T00:00:00.000Z');
    expect(await worker.fire(first)).toEqual({ kind: 'claimed' });
    await setClock(calling.db, '2031-02-15T23:59:00.000Z');
    expect(await worker.fire(second)).toEqual({ kind: 'claimed' });
    await setClock(calling.db, '2031-02-16T00:00:00.000Z');
    expect(await worker.fire(third)).toEqual({ kind: 'expired' });
    expect([punctual, late, over].map((number) => calling.dials(number).length)).toEqual([1, 1, 0]);
  });

  test('is not assigned to a call that is rescheduled: the call ends', async () => {
    const caller = await buildCaller(calling.db);
    const id = await calling.accepted(caller, { phoneNumber: nextNumber() });
    await close(caller.agentId, closedFor(8));
    expect(await worker.fire(id)).toEqual({ kind: 'expired' });
    const row = await calling.row(id);
    expect(row).toMatchObject({ status: 'expired', reason: null });
    expect(row.history.at(-1)).toMatchObject({ to: 'expired', cause: 'next_slot_too_late' });
  });

  test('can be assigned within 24 hours of the first opening, also when the call is rescheduled later', async () => {
    const caller = await buildCaller(calling.db, {}, { closed_dates: closedFor(30) });
    const id = await calling.accepted(caller, { phoneNumber: nextNumber() });
    const promised = '2031-02-05T00:00:00.000Z';
    expect((await calling.row(id)).runs_at).toEqual(new Date(promised));
    await setClock(calling.db, promised);
    await close(caller.agentId, closedFor(1, promised));
    expect(await worker.fire(id)).toEqual({ kind: 'rescheduled' });
    const next = '2031-02-06T00:00:00.000Z';
    expect(await calling.row(id)).toMatchObject({
      runs_at: new Date(next),
      first_runs_at: new Date(promised),
      expires_at: new Date('2031-02-07T00:00:00.000Z'),
    });
    await setClock(calling.db, next);
    await close(caller.agentId, closedFor(1, next));
    expect(await worker.fire(id, 1)).toEqual({ kind: 'expired' });
  });
});

describe('a pending call past its expiry that the sweeper has not ended yet', () => {
  afterEach(async () => {
    await moveClock(calling.db, '30 days');
    await worker.sweep();
  });

  /** A call to the number that has expired, and whose row says it is pending. */
  async function expiredPending(phoneNumber: string) {
    const caller = await buildCaller(calling.db);
    const id = await calling.accepted(caller, { phoneNumber });
    await moveClock(calling.db, '24 hours 1 second');
    expect(await calling.row(id)).toMatchObject({ status: 'queued' });
    return caller;
  }

  test('does not refuse a new trigger as already scheduled', async () => {
    const phoneNumber = nextNumber();
    const caller = await expiredPending(phoneNumber);
    const id = await calling.accepted(caller, { phoneNumber });
    // Nor when that one fires.
    expect(await worker.fire(id)).toEqual({ kind: 'claimed' });
  });

  test('refuses it until the expiry', async () => {
    const caller = await buildCaller(calling.db);
    const phoneNumber = nextNumber();
    await calling.accepted(caller, { phoneNumber });
    await moveClock(calling.db, '23 hours 59 minutes');
    expect(reasonOf(await calling.trigger(caller, { phoneNumber }))).toBe('ALREADY_SCHEDULED');
  });
});

test('is ended by the sweeper, which wakes none of these calls', async () => {
  const caller = await buildCaller(calling.db, { monthly_call_limit: 10 });
  const numbers = Array.from({ length: 5 }, nextNumber);
  for (const phoneNumber of numbers) await calling.accepted(caller, { phoneNumber });
  await moveClock(calling.db, '25 hours');
  expect(await worker.sweep()).toMatchObject({ expired: 5, woken: 0 });
  for (const row of await calling.rows(caller.teamId))
    expect(row).toMatchObject({ status: 'expired', counted_month: null });
  expect(Object.values(await calling.usage(caller.teamId))).toEqual([0]);
  expect(await worker.sweep()).toMatchObject({ expired: 0, woken: 0 });
});
