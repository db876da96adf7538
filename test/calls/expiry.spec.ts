import { Calling, type IdleWorker } from '../support/calling.js';
import { insertRow, nextNumber } from '../support/builders.js';
import { buildCaller, hoursOpeningIn } from '../support/call-builders.js';
import { moveClock, setClock } from '../support/clock.js';

// The worker takes no jobs and does not sweep by itself here.
let calling: Calling;
let worker: IdleWorker;

beforeAll(async () => {
  calling = await Calling.start();
  worker = await calling.startIdleWorker();
});
afterAll(() => calling.close());
beforeEach(() => moveClock(calling.db, '0'));
afterEach(() => calling.setRules());

describe('expiry is judged first', () => {
  test('also of a call that would be blocked, rescheduled or is early', async () => {
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

  test('to the millisecond: 24 hours after acceptance', async () => {
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
    expect(await worker.fire(ids[0])).toEqual({ kind: 'dialed' });
    await setClock(calling.db, '2031-01-01T00:00:00.000Z');
    expect(await worker.fire(ids[1])).toEqual({ kind: 'expired' });
  });

  test.each(['team', 'platform'])('a pause of the %s does not stop it', async (whose) => {
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

  test('never on a claimed call', async () => {
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

test('the sweeper ends all that expired, and wakes none of it', async () => {
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
