import { Calling, reasonOf } from '../support/calling.js';
import { insertRow, nextNumber } from '../support/builders.js';
import { buildCaller, type Caller, hoursOpeningIn } from '../support/call-builders.js';
import { moveClock } from '../support/clock.js';

// The worker takes no jobs of its own here.
const calling = Calling.ofFile();
const worker = calling.idleWorkerOfFile();

beforeEach(() => moveClock(calling.db, '0'));

const add = ({ teamId }: Caller, ...phoneNumbers: string[]) =>
  calling.operated('post', `/teams/${teamId}/do-not-call`, { phoneNumbers });

describe('a number that is added to the Do Not Call list between the trigger and the opening', () => {
  test('by the operator: the call ends at once, and its wake-up has no effect', async () => {
    const caller = await buildCaller(calling.db, {}, hoursOpeningIn(3));
    const phoneNumber = nextNumber();
    const id = await calling.accepted(caller, { phoneNumber });
    await add(caller, phoneNumber);
    const row = await calling.row(id);
    expect(row).toMatchObject({ status: 'blocked', reason: 'DO_NOT_CALL' });
    expect(row.ended_at).not.toBeNull();
    expect(row.history.map(({ from, to }) => `${from} ${to}`)).toEqual([
      'null scheduled',
      'scheduled blocked',
    ]);
    expect((await calling.get(caller, id)).body).toMatchObject({ status: 'blocked', reason: 'DO_NOT_CALL' });
    await moveClock(calling.db, '3 hours');
    expect(await worker.fire(id)).toEqual({ kind: 'ignored', why: 'not_pending' });
    expect(await worker.sweep()).toMatchObject({ woken: 0 });
    expect(calling.dials(phoneNumber)).toEqual([]);
  });

  test('only by SQL: the worker’s decision blocks the call', async () => {
    const caller = await buildCaller(calling.db, {}, hoursOpeningIn(3));
    const phoneNumber = nextNumber();
    const id = await calling.accepted(caller, { phoneNumber });
    await insertRow(calling.db, 'do_not_call', { team_id: caller.teamId, phone_number: phoneNumber });
    await moveClock(calling.db, '3 hours');
    expect(await worker.fire(id)).toEqual({ kind: 'blocked' });
    const row = await calling.row(id);
    expect(row).toMatchObject({ status: 'blocked', reason: 'DO_NOT_CALL', caller_id: null, prompt: null });
    expect(row.decisions).toMatchObject([{ allow: false, reason: 'DO_NOT_CALL' }]);
    expect(row.history.at(-1)).toMatchObject({ from: 'scheduled', to: 'blocked', cause: 'DO_NOT_CALL' });
    expect(calling.dials(phoneNumber)).toEqual([]);
  });

  test('for another team: the call is dialed', async () => {
    const [caller, other] = [await buildCaller(calling.db), await buildCaller(calling.db)];
    const phoneNumber = nextNumber();
    const id = await calling.accepted(caller, { phoneNumber });
    await add(other, phoneNumber);
    expect(await worker.fire(id)).toEqual({ kind: 'claimed' });
  });

  test('and removed again: a new call is dialed, and the ended one stays ended', async () => {
    const caller = await buildCaller(calling.db);
    const phoneNumber = nextNumber();
    const ended = await calling.accepted(caller, { phoneNumber });
    await add(caller, phoneNumber);
    expect(reasonOf(await calling.trigger(caller, { phoneNumber }))).toBe('DO_NOT_CALL');
    await calling.operated(
      'delete',
      `/teams/${caller.teamId}/do-not-call/${encodeURIComponent(phoneNumber)}`,
    );
    const id = await calling.accepted(caller, { phoneNumber });
    expect(await worker.fire(ended)).toEqual({ kind: 'ignored', why: 'not_pending' });
    expect(await worker.fire(id)).toEqual({ kind: 'claimed' });
    expect(calling.dials(phoneNumber)).toMatchObject([{ callRequestId: id }]);
  });
});

test('ends all pending calls to the added numbers, and no others', async () => {
  const caller = await buildCaller(calling.db, { monthly_call_limit: 10 });
  const closed = { ...caller };
  const [one, other, spared] = [nextNumber(), nextNumber(), nextNumber()];
  const dialed = await calling.accepted(caller, { phoneNumber: other });
  await worker.fire(dialed);
  await calling.until(caller, dialed, 'completed');
  const kept = await calling.accepted(caller, { phoneNumber: spared });
  await calling.accepted(caller, { phoneNumber: one });
  await calling.db.query('UPDATE voice_agents SET calling_hours = $1 WHERE id = $2', [
    hoursOpeningIn(3).calling_hours,
    caller.agentId,
  ]);
  for (const phoneNumber of [one, one, other]) await calling.accepted(closed, { phoneNumber });
  await add(caller, one, other);
  const rows = await calling.rows(caller.teamId);
  const statuses = (number: string) =>
    rows.filter((row) => row.phone_number === number).map(({ status }) => status);
  expect(statuses(one)).toEqual(['blocked', 'blocked', 'blocked']);
  expect(statuses(other)).toEqual(['completed', 'blocked']);
  expect(statuses(spared)).toEqual(['queued']);
  expect(rows.find(({ id }) => id === kept)?.counted_month).not.toBeNull();
  expect(Object.values(await calling.usage(caller.teamId))).toEqual([2]);
});
