import { Calling } from '../support/calling.js';
import { buildContact, nextNumber, type Row } from '../support/builders.js';
import { buildCaller, NINE_TO_FIVE, weekdays } from '../support/call-builders.js';
import { setClock } from '../support/clock.js';

// No worker runs here: what is accepted stays as it was accepted.
const calling = Calling.ofFile();

const agent = (timezone: string, row: Row = {}): Row => ({ ...weekdays(timezone), ...row });

/** The opening that a trigger at this moment gets; null is now. */
async function opening(agentRow: Row, request: object = {}, contact?: Row): Promise<string | null> {
  const caller = await buildCaller(calling.db, {}, agentRow);
  const phoneNumber = nextNumber();
  if (contact) await buildContact(calling.db, caller.teamId, { phone_number: phoneNumber, ...contact });
  const response = await calling.trigger(caller, { phoneNumber, ...request }).expect(200);
  const answer = response.body as { rescheduled?: boolean; runsAt?: string };
  expect(answer.rescheduled).toBe(answer.runsAt === undefined ? undefined : true);
  return answer.runsAt ?? null;
}

describe('the time zone is', () => {
  // A Monday: 12:00 in London, 21:00 in Tokyo, 07:00 in New York.
  beforeAll(() => setClock(calling.db, '2026-03-02T12:00:00Z'));

  test('the agent’s, if no other is given', async () => {
    expect(await opening(agent('Europe/London'))).toBeNull();
    expect(await opening(agent('Asia/Tokyo'))).toBe('2026-03-03T00:00:00.000Z');
    expect(await opening(agent('Asia/Tokyo'), {}, { timezone: null })).toBe('2026-03-03T00:00:00.000Z');
  });

  test('the contact’s stored one before that', async () => {
    expect(await opening(agent('Europe/London'), {}, { timezone: 'Asia/Tokyo' })).toBe(
      '2026-03-03T00:00:00.000Z',
    );
    expect(await opening(agent('Asia/Tokyo'), {}, { timezone: 'Europe/London' })).toBeNull();
  });

  test('the request’s before both', async () => {
    const timezone = 'America/New_York';
    expect(await opening(agent('Europe/London'), { timezone })).toBe('2026-03-02T14:00:00.000Z');
    expect(await opening(agent('Europe/London'), { timezone }, { timezone: 'Asia/Tokyo' })).toBe(
      '2026-03-02T14:00:00.000Z',
    );
    expect(await opening(agent('Asia/Tokyo'), { timezone: 'Europe/London' }, { timezone })).toBeNull();
    expect(await opening(agent('Europe/London'), { timezone: null }, { timezone })).toBe(
      '2026-03-02T14:00:00.000Z',
    );
  });

  test('links and UTC are zones', async () => {
    expect(await opening(agent('Asia/Tokyo'), { timezone: 'UTC' })).toBeNull();
    expect(await opening(agent('Asia/Tokyo'), { timezone: 'GB' })).toBeNull();
    expect(await opening(agent('Asia/Tokyo'), { timezone: 'US/Eastern' })).toBe('2026-03-02T14:00:00.000Z');
  });

  test('the zone of an earlier request is stored for the contact', async () => {
    const caller = await buildCaller(calling.db, {}, agent('Europe/London'));
    const phoneNumber = nextNumber();
    const first = await calling.accepted(caller, { phoneNumber, timezone: 'Asia/Tokyo' });
    await calling.cancel(caller, first).expect(200);
    const answer = await calling.trigger(caller, { phoneNumber });
    expect(answer.body).toMatchObject({ runsAt: '2026-03-03T00:00:00.000Z' });
  });
});

describe('the opening', () => {
  test('is any time without calling hours', async () => {
    await setClock(calling.db, '2026-03-01T03:00:00Z');
    expect(await opening({ calling_hours: null })).toBeNull();
  });

  test('can be the start of an interval, but not its end', async () => {
    await setClock(calling.db, '2026-03-02T09:00:00Z');
    expect(await opening(agent('UTC'))).toBeNull();
    await setClock(calling.db, '2026-03-02T08:59:50Z');
    expect(await opening(agent('UTC'))).toBe('2026-03-02T09:00:00.000Z');
    await setClock(calling.db, '2026-03-02T16:59:50Z');
    expect(await opening(agent('UTC'))).toBeNull();
    await setClock(calling.db, '2026-03-02T17:00:00Z');
    expect(await opening(agent('UTC'))).toBe('2026-03-03T09:00:00.000Z');
  });

  test('skips a weekend, closed dates, and midnight', async () => {
    await setClock(calling.db, '2026-03-06T18:00:00Z');
    expect(await opening(agent('UTC'))).toBe('2026-03-09T09:00:00.000Z');
    expect(await opening(agent('UTC', { closed_dates: ['2026-03-09', '2026-03-10'] }))).toBe(
      '2026-03-11T09:00:00.000Z',
    );
    const night = { friday: [{ start: '22:00', end: '02:00' }] };
    expect(await opening({ calling_hours: night })).toBe('2026-03-06T22:00:00.000Z');
    await setClock(calling.db, '2026-03-07T01:30:00Z');
    expect(await opening({ calling_hours: night })).toBeNull();
    expect(await opening({ calling_hours: night, closed_dates: ['2026-03-07'] })).toBe(
      '2026-03-13T22:00:00.000Z',
    );
  });

  test('follows the wall clock over a change to summer time', async () => {
    await setClock(calling.db, '2026-03-28T12:00:00Z');
    const sundays = { sunday: NINE_TO_FIVE };
    expect(await opening({ calling_hours: sundays, timezone: 'Europe/Berlin' })).toBe(
      '2026-03-29T07:00:00.000Z',
    );
    const inTheGap = { sunday: [{ start: '02:15', end: '03:30' }] };
    expect(await opening({ calling_hours: inTheGap, timezone: 'Europe/Berlin' })).toBe(
      '2026-03-29T01:00:00.000Z',
    );
  });

  test('is a day before the expiry, also if it is a week away', async () => {
    await setClock(calling.db, '2026-03-02T17:30:00Z');
    const caller = await buildCaller(calling.db, {}, agent('UTC'));
    const soon = await calling.row(await calling.accepted(caller, { phoneNumber: nextNumber() }));
    expect([soon.runs_at, soon.expires_at]).toEqual([
      new Date('2026-03-03T09:00:00Z'),
      new Date('2026-03-04T09:00:00Z'),
    ]);
    const weekly = await buildCaller(calling.db, {}, { calling_hours: { monday: NINE_TO_FIVE } });
    const late = await calling.row(await calling.accepted(weekly, { phoneNumber: nextNumber() }));
    expect(late.runs_at).toEqual(new Date('2026-03-09T09:00:00Z'));
    expect(late.expires_at).toEqual(new Date('2026-03-10T09:00:00Z'));
    const open = await buildCaller(calling.db);
    const now = await calling.row(await calling.accepted(open, { phoneNumber: nextNumber() }));
    expect(now.runs_at).toEqual(now.accepted_at);
    expect(now.expires_at.getTime() - now.runs_at.getTime()).toBe(86_400_000);
  });
});
