import { Calling, reasonOf } from '../support/calling.js';
import { nextNumber, type Row } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { moveClock, stopClock } from '../support/clock.js';
import { buildProcessedCall, buildStoredCall } from '../support/number-history.js';

const calling = Calling.ofFile();
const worker = calling.idleWorkerOfFile();

beforeEach(() => moveClock(calling.db, '0'));

/** What the endpoint says to a trigger; ACCEPTED for 200. */
async function answerTo(caller: Caller, phoneNumber: string): Promise<string> {
  return reasonOf(await calling.trigger(caller, { phoneNumber })) ?? 'ACCEPTED';
}

/** What it says when the number's earlier calls are so old. */
async function afterCalls(team: Row, ...ages: string[]): Promise<string> {
  const caller = await buildCaller(calling.db, team);
  const phoneNumber = nextNumber();
  for (const age of ages) await buildProcessedCall(calling.db, caller, phoneNumber, age);
  return answerTo(caller, phoneNumber);
}

// The clock stands still, so that a boundary can be met to the millisecond.
describe('to the millisecond', () => {
  beforeEach(() => stopClock(calling.db, '2026-03-31T12:00:00.000Z'));

  test.each<[string, Row, string, string]>([
    ['12 hours', {}, '12 hours', 'RECENTLY_CALLED'],
    ['daily', { number_daily_limit: 1 }, '24 hours', 'NUMBER_LIMIT_DAILY'],
    ['weekly', { number_weekly_limit: 1 }, '7 days', 'NUMBER_LIMIT_WEEKLY'],
    ['monthly', { number_monthly_limit: 1 }, '30 days', 'NUMBER_LIMIT_MONTHLY'],
  ])('%s: a call exactly as old as the window is outside of it', async (_name, team, window, reason) => {
    expect(await afterCalls(team, window)).toBe('ACCEPTED');
    expect(await afterCalls(team, `${window} -1 millisecond`)).toBe(reason);
  });

  test.each([
    ['number_daily_limit', 'NUMBER_LIMIT_DAILY', ['13 hours', '14 hours', '23 hours']],
    ['number_weekly_limit', 'NUMBER_LIMIT_WEEKLY', ['13 hours', '2 days', '6 days 23 hours']],
    ['number_monthly_limit', 'NUMBER_LIMIT_MONTHLY', ['13 hours', '8 days', '29 days 23 hours']],
  ])('%s n refuses the (n+1)st', async (limit, reason, ages) => {
    expect(await afterCalls({ [limit]: ages.length + 1 }, ...ages)).toBe('ACCEPTED');
    expect(await afterCalls({ [limit]: ages.length }, ...ages)).toBe(reason);
    expect(await afterCalls({ [limit]: 0 })).toBe(reason);
    expect(await afterCalls({ [limit]: null }, ...ages)).toBe('ACCEPTED');
  });

  test('the first refusal in the contract’s order is returned', async () => {
    const all = { number_daily_limit: 1, number_weekly_limit: 1, number_monthly_limit: 1 };
    expect(await afterCalls(all, '1 hour')).toBe('NUMBER_LIMIT_DAILY');
    expect(await afterCalls(all, '25 hours')).toBe('NUMBER_LIMIT_WEEKLY');
    expect(await afterCalls(all, '8 days')).toBe('NUMBER_LIMIT_MONTHLY');
    expect(await afterCalls(all, '31 days')).toBe('ACCEPTED');
  });

  test('windows are rolling: a new calendar day or month has no effect', async () => {
    await stopClock(calling.db, '2026-04-01T00:30:00.000Z');
    expect(await afterCalls({ number_daily_limit: 1 }, '13 hours')).toBe('NUMBER_LIMIT_DAILY');
    expect(await afterCalls({ number_monthly_limit: 1 }, '13 hours')).toBe('NUMBER_LIMIT_MONTHLY');
  });

  test('only processed calls count, and pending ones do not', async () => {
    const caller = await buildCaller(calling.db, { number_daily_limit: 1 });
    const phoneNumber = nextNumber();
    const ended = { ended_at: new Date('2026-03-31T11:00:00Z') };
    for (const status of ['blocked', 'canceled', 'expired', 'failed']) {
      await buildStoredCall(calling.db, caller, phoneNumber, { status, ...ended });
    }
    expect(await answerTo(caller, phoneNumber)).toBe('ACCEPTED');
  });

  test.each([
    'dialing',
    'in_progress',
    'completed',
    'no_answer',
    'busy',
    'voicemail',
    'failed',
    'dial_unknown',
  ])('a call that is %s counts', async (status) => {
    const caller = await buildCaller(calling.db, { number_daily_limit: 1 });
    const phoneNumber = nextNumber();
    await buildProcessedCall(calling.db, caller, phoneNumber, '13 hours', { status });
    expect(await answerTo(caller, phoneNumber)).toBe('NUMBER_LIMIT_DAILY');
  });
});

describe('when a call fires', () => {
  test('it does not count itself, but calls processed since its trigger', async () => {
    const caller = await buildCaller(calling.db, { number_daily_limit: 1 });
    const phoneNumber = nextNumber();
    const alone = await calling.accepted(caller, { phoneNumber });
    expect(await worker.fire(alone)).toEqual({ kind: 'claimed' });

    const other = nextNumber();
    const late = await calling.accepted(caller, { phoneNumber: other });
    await buildProcessedCall(calling.db, caller, other, '13 hours');
    expect(await worker.fire(late)).toEqual({ kind: 'blocked' });
    expect(await calling.row(late)).toMatchObject({ status: 'blocked', reason: 'NUMBER_LIMIT_DAILY' });
    expect(calling.dials(other)).toEqual([]);
  });

  test('the window moves on after a dial', async () => {
    const caller = await buildCaller(calling.db, { number_daily_limit: 1 });
    const phoneNumber = nextNumber();
    expect(await worker.fire(await calling.accepted(caller, { phoneNumber }))).toEqual({ kind: 'claimed' });
    const answers: string[] = [];
    for (const later of ['11 hours', '13 hours', '23 hours', '24 hours']) {
      await moveClock(calling.db, later);
      answers.push(await answerTo(caller, phoneNumber));
    }
    expect(answers).toEqual(['NUMBER_LIMIT_DAILY', 'NUMBER_LIMIT_DAILY', 'NUMBER_LIMIT_DAILY', 'ACCEPTED']);
  });
});

describe('two pending calls for one number', () => {
  async function twoPending(): Promise<[Caller, string, string, string]> {
    const caller = await buildCaller(calling.db);
    const phoneNumber = nextNumber();
    const older = await calling.accepted(caller, { phoneNumber });
    // As of a trigger outside calling hours, which does not look for others.
    const { id: newer } = await buildStoredCall(calling.db, caller, phoneNumber);
    await calling.db.query(
      `UPDATE call_requests SET accepted_at = o.accepted_at + interval '1 ms' FROM call_requests o
       WHERE call_requests.id = $1 AND o.id = $2`,
      [newer, older],
    );
    return [caller, phoneNumber, older, newer];
  }

  test('the newer fires first: it ends blocked, and the older is dialed', async () => {
    const [, phoneNumber, older, newer] = await twoPending();
    expect(await worker.fire(newer)).toEqual({ kind: 'blocked' });
    expect(await calling.row(newer)).toMatchObject({ reason: 'ALREADY_SCHEDULED' });
    expect(await worker.fire(older)).toEqual({ kind: 'claimed' });
    expect(calling.dials(phoneNumber)).toMatchObject([{ callRequestId: older }]);
  });

  test('the older fires first: it is dialed, and the newer ends blocked', async () => {
    const [, phoneNumber, older, newer] = await twoPending();
    expect(await worker.fire(older)).toEqual({ kind: 'claimed' });
    expect(await worker.fire(newer)).toEqual({ kind: 'blocked' });
    expect(await calling.row(newer)).toMatchObject({ reason: 'RECENTLY_CALLED' });
    expect(calling.dials(phoneNumber)).toHaveLength(1);
  });

  test('both fire repeatedly at one instant: exactly one dial', async () => {
    const [, phoneNumber, older, newer] = await twoPending();
    const fired = await Promise.all([newer, older, newer, older].map((id) => worker.fire(id)));
    expect(fired.filter(({ kind }) => kind === 'claimed')).toHaveLength(1);
    expect(fired.filter(({ kind }) => kind === 'blocked')).toHaveLength(1);
    expect(calling.dials(phoneNumber)).toMatchObject([{ callRequestId: older }]);
  });

  test('of two calls accepted in one millisecond, the smaller id is the older', async () => {
    const [, phoneNumber, one, other] = await twoPending();
    await calling.db.query(
      'UPDATE call_requests SET accepted_at = (SELECT accepted_at FROM call_requests WHERE id = $1) WHERE id = $2',
      [one, other],
    );
    const [older, newer] = [one, other].sort() as [string, string];
    expect(await worker.fire(newer)).toEqual({ kind: 'blocked' });
    expect(await worker.fire(older)).toEqual({ kind: 'claimed' });
    expect(calling.dials(phoneNumber)).toHaveLength(1);
  });

  test('a canceled older one does not count', async () => {
    const [caller, , older, newer] = await twoPending();
    await calling.cancel(caller, older).expect(200);
    expect(await worker.fire(newer)).toEqual({ kind: 'claimed' });
  });
});
