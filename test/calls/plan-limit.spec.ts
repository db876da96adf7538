import { Calling, reasonOf } from '../support/calling.js';
import { insertRow, nextNumber } from '../support/builders.js';
import { buildCaller, type Caller, hoursOpeningIn } from '../support/call-builders.js';
import { setClock } from '../support/clock.js';

const calling = Calling.ofFile();
const worker = calling.idleWorkerOfFile();

beforeEach(() => setClock(calling.db, '2026-03-10T12:00:00Z'));
afterEach(() => calling.setRules());

const MONTH = '2026-03';
const accept = (caller: Caller, phoneNumber = nextNumber()) => calling.accepted(caller, { phoneNumber });
const answerTo = async (caller: Caller) =>
  reasonOf(await calling.trigger(caller, { phoneNumber: nextNumber() })) ?? 'ACCEPTED';

/** A call with a limit of one that this call has used up; `ended` shall give it back. */
async function givesBack(ended: (caller: Caller, callRequestId: string, to: string) => Promise<unknown>) {
  const caller = await buildCaller(calling.db, { monthly_call_limit: 1 });
  const phoneNumber = nextNumber();
  const id = await accept(caller, phoneNumber);
  expect(await calling.usage(caller.teamId)).toEqual({ [MONTH]: 1 });
  expect(await answerTo(caller)).toBe('PLAN_LIMIT');
  await ended(caller, id, phoneNumber);
  expect(await calling.usage(caller.teamId)).toMatchObject({ [MONTH]: 0 });
  expect(await calling.row(id)).toMatchObject({ counted_month: null });
  return id;
}

describe('a call is counted once', () => {
  test('at its acceptance inside calling hours, and not again at its claim', async () => {
    const caller = await buildCaller(calling.db, { monthly_call_limit: 2 });
    const id = await accept(caller);
    expect(await calling.usage(caller.teamId)).toEqual({ [MONTH]: 1 });
    expect(await worker.fire(id)).toEqual({ kind: 'claimed' });
    await calling.until(caller, id, 'completed');
    expect(await calling.usage(caller.teamId)).toEqual({ [MONTH]: 1 });
    expect([await answerTo(caller), await answerTo(caller)]).toEqual(['ACCEPTED', 'PLAN_LIMIT']);
  });

  test('at its claim if it was scheduled', async () => {
    const caller = await buildCaller(calling.db, { monthly_call_limit: 1 }, hoursAfternoon());
    const [one, other] = [await accept(caller), await accept(caller)];
    expect(await calling.usage(caller.teamId)).toEqual({});
    await setClock(calling.db, '2026-03-10T15:30:00Z');
    expect([await worker.fire(one), await worker.fire(other)]).toEqual([
      { kind: 'claimed' },
      { kind: 'blocked' },
    ]);
    expect(await calling.row(other)).toMatchObject({ reason: 'PLAN_LIMIT', counted_month: null });
    expect(await calling.usage(caller.teamId)).toEqual({ [MONTH]: 1 });
  });

  test('also if the carrier reports busy or leaves the outcome unknown', async () => {
    for (const [outcome, status] of [
      ['busy', 'busy'],
      ['error', 'dial_unknown'],
    ] as const) {
      const caller = await buildCaller(calling.db, { monthly_call_limit: 1 });
      calling.setRules({ match: '*', outcome });
      const id = await accept(caller);
      await worker.fire(id);
      await calling.until(caller, id, status);
      expect(await calling.usage(caller.teamId)).toEqual({ [MONTH]: 1 });
    }
  });

  test('for its own team', async () => {
    const [full, free] = [
      await buildCaller(calling.db, { monthly_call_limit: 1 }),
      await buildCaller(calling.db, { monthly_call_limit: 1 }),
    ];
    await accept(full);
    expect([await answerTo(full), await answerTo(free)]).toEqual(['PLAN_LIMIT', 'ACCEPTED']);
  });
});

describe('the count of a call is released', () => {
  test('when it is canceled', () => givesBack((caller, id) => calling.cancel(caller, id).expect(200)));

  test('when it expires', () =>
    givesBack(async (_caller, id) => {
      await setClock(calling.db, '2026-03-11T12:00:01Z');
      expect(await worker.fire(id)).toEqual({ kind: 'expired' });
    }));

  test('when a guardrail blocks it at its claim', () =>
    givesBack(async ({ teamId }, id, to) => {
      await insertRow(calling.db, 'do_not_call', { team_id: teamId, phone_number: to });
      expect(await worker.fire(id)).toEqual({ kind: 'blocked' });
    }));

  test('when it has no caller ID at its claim', () =>
    givesBack(async ({ callerNumber }, id) => {
      await calling.db.query('UPDATE phone_numbers SET active = false WHERE phone_number = $1', [
        callerNumber,
      ]);
      expect(await worker.fire(id)).toEqual({ kind: 'blocked' });
    }));

  test('when its number is added to the Do Not Call list', () =>
    givesBack(({ teamId }, _id, to) =>
      calling.operator('post', `/teams/${teamId}/do-not-call`, { phoneNumbers: [to] }).expect(201),
    ));

  test('when the carrier permanently refuses it', async () => {
    const id = await givesBack(async (_caller, call) => {
      calling.setRules({ match: '*', outcome: 'refuse' });
      expect(await worker.fire(call)).toEqual({ kind: 'claimed' });
    });
    expect(await calling.row(id)).toMatchObject({ status: 'failed', processed_at: null });
  });

  test('only once, also if several events end it', () =>
    givesBack(async (caller, id) => {
      await Promise.all(Array.from({ length: 5 }, () => calling.cancel(caller, id)));
      await worker.fire(id);
    }));
});

describe('a new month', () => {
  // The last evening of March; the agent may dial again on the first morning of April.
  const END_OF_MARCH = '2026-03-31T23:50:00Z';

  test('begins at midnight UTC without usage', async () => {
    await setClock(calling.db, END_OF_MARCH);
    const caller = await buildCaller(calling.db, { monthly_call_limit: 1 });
    await accept(caller);
    expect(await answerTo(caller)).toBe('PLAN_LIMIT');
    await setClock(calling.db, '2026-04-01T00:00:01Z');
    expect([await answerTo(caller), await answerTo(caller)]).toEqual(['ACCEPTED', 'PLAN_LIMIT']);
    expect(await calling.usage(caller.teamId)).toEqual({ '2026-03': 1, '2026-04': 1 });
  });

  test('moves the count of a call from the earlier month, and evaluates the guardrails again', async () => {
    await setClock(calling.db, END_OF_MARCH);
    const caller = await buildCaller(calling.db, { monthly_call_limit: 2 });
    const [one, other] = [await accept(caller), await accept(caller)];
    await setClock(calling.db, '2026-04-01T00:10:00Z');
    expect(await worker.fire(one)).toEqual({ kind: 'claimed' });
    expect(await calling.usage(caller.teamId)).toEqual({ '2026-03': 1, '2026-04': 1 });
    expect(await answerTo(caller)).toBe('ACCEPTED');
    expect(await worker.fire(other)).toEqual({ kind: 'blocked' });
    expect(await calling.row(other)).toMatchObject({ reason: 'PLAN_LIMIT', counted_month: null });
    expect(await calling.usage(caller.teamId)).toEqual({ '2026-03': 0, '2026-04': 2 });
  });

  test('a counted call passes in the same month although the limit has been reached', async () => {
    const caller = await buildCaller(calling.db, { monthly_call_limit: 1 });
    const id = await accept(caller);
    expect(await answerTo(caller)).toBe('PLAN_LIMIT');
    expect(await worker.fire(id)).toEqual({ kind: 'claimed' });
  });
});

describe('a changed limit', () => {
  const setLimit = (caller: Caller, monthlyCallLimit: number | null) =>
    calling.operator('patch', `/teams/${caller.teamId}`, { monthlyCallLimit }).expect(200);

  test('applies at once, and counts calls that were accepted this month without a limit', async () => {
    const caller = await buildCaller(calling.db);
    const ids = [await accept(caller), await accept(caller), await accept(caller)] as const;
    await calling.cancel(caller, ids[2]).expect(200);
    await setLimit(caller, 3);
    expect([await answerTo(caller), await answerTo(caller)]).toEqual(['ACCEPTED', 'PLAN_LIMIT']);
    await calling.cancel(caller, ids[1]).expect(200);
    expect([await answerTo(caller), await answerTo(caller)]).toEqual(['ACCEPTED', 'PLAN_LIMIT']);
    expect(await worker.fire(ids[0])).toEqual({ kind: 'claimed' });
  });

  test('counts this month’s calls that were accepted long before the change', async () => {
    await setClock(calling.db, '2026-03-10T12:00:00Z');
    const promised = { closed_dates: datesFrom('2026-03-10', 40) };
    const caller = await buildCaller(calling.db, {}, promised);
    const [claimed, throttled, waiting] = [await accept(caller), await accept(caller), await accept(caller)];
    await setClock(calling.db, '2026-04-19T00:00:00Z');
    expect(await worker.fire(claimed)).toEqual({ kind: 'claimed' });
    calling.setRules({ match: '*', outcome: 'throttled' });
    expect(await worker.fire(throttled)).toEqual({ kind: 'claimed' });
    calling.setRules();
    expect(await calling.row(throttled)).toMatchObject({
      status: 'queued',
      counted_month: expect.anything() as unknown,
    });
    expect(await calling.row(waiting)).toMatchObject({ status: 'scheduled', counted_month: null });
    await setLimit(caller, 3);
    expect([await answerTo(caller), await answerTo(caller)]).toEqual(['ACCEPTED', 'PLAN_LIMIT']);
  });

  test('set to null does not limit calls; a later limit counts what happened meanwhile', async () => {
    const caller = await buildCaller(calling.db, { monthly_call_limit: 0 });
    expect(await answerTo(caller)).toBe('PLAN_LIMIT');
    await setLimit(caller, null);
    await accept(caller);
    await accept(caller);
    await setLimit(caller, 2);
    expect(await answerTo(caller)).toBe('PLAN_LIMIT');
  });
});

/** As many dates, the first included. */
function datesFrom(first: string, days: number): string[] {
  return Array.from({ length: days }, (_, day) =>
    new Date(Date.parse(first) + day * 86_400_000).toISOString().slice(0, 10),
  );
}

/** Open from 15:00 to 16:00 UTC: three hours after the clock of these tests starts. */
function hoursAfternoon() {
  return hoursOpeningIn(3, new Date('2026-03-10T12:00:00Z'));
}
