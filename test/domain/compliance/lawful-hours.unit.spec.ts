import fc from 'fast-check';
import { type CallingHours, weekdays } from '../../../src/domain/calling-hours.js';
import {
  isOpenInAll,
  type LawfulHours,
  nextOpeningInAll,
} from '../../../src/domain/compliance/lawful-hours.js';
import { placeOf } from '../../../src/domain/compliance/place-of.js';
import { caseZones, lawfulCases, lawfulDisagreement, tableOf } from './support/lawful-hours-cases.js';

const daily = (start: string, end: string): CallingHours =>
  Object.fromEntries(weekdays.map((weekday) => [weekday, [{ start, end }]]));

const rule = (changes: Partial<LawfulHours>): LawfulHours => ({
  hours: null,
  isClosed: () => false,
  effectiveFrom: null,
  effectiveTo: null,
  zones: ['America/New_York'],
  ...changes,
});
const always = { callingHours: null, closedDates: [] };
const open = (list: LawfulHours[], instant: string) => isOpenInAll(list, new Date(instant));
const next = (list: LawfulHours[], from: string, agent = always as Parameters<typeof nextOpeningInAll>[0]) =>
  nextOpeningInAll(agent, 'America/New_York', list, new Date(from))?.toISOString() ?? null;

const federal = daily('08:00', '21:00');

describe('an instant is inside if it is inside in every zone of every rule', () => {
  const tennessee = rule({ hours: federal, zones: ['America/Chicago', 'America/New_York'] });

  test('the day begins with the last zone and ends with the first (20 November 2026)', () => {
    expect(open([tennessee], '2026-11-20T13:59:59.999Z')).toBe(false);
    expect(open([tennessee], '2026-11-20T14:00:00Z')).toBe(true);
    expect(open([tennessee], '2026-11-21T01:59:59.999Z')).toBe(true);
    expect(open([tennessee], '2026-11-21T02:00:00Z')).toBe(false);
    expect(next([tennessee], '2026-11-20T13:00:00Z')).toBe('2026-11-20T14:00:00.000Z');
    expect(next([tennessee], '2026-11-21T02:00:00Z')).toBe('2026-11-21T14:00:00.000Z');
  });

  test('the stricter of two rules holds', () => {
    const state = rule({ hours: daily('09:00', '20:00'), zones: ['America/New_York'] });
    expect(next([tennessee, state], '2026-11-20T13:59:00Z')).toBe('2026-11-20T14:00:00.000Z');
    expect(open([tennessee, state], '2026-11-21T01:00:00Z')).toBe(false);
  });

  test('the agent’s own hours are those of its single zone', () => {
    const agent = { callingHours: daily('10:00', '12:00'), closedDates: ['2026-11-21'] };
    expect(next([tennessee], '2026-11-20T14:30:00Z', agent)).toBe('2026-11-20T15:00:00.000Z');
    expect(next([tennessee], '2026-11-20T17:00:00Z', agent)).toBe('2026-11-22T15:00:00.000Z');
  });

  test('without rules, only the agent’s hours count, to the millisecond', () => {
    expect(open([], '2026-11-20T03:00:00Z')).toBe(true);
    expect(next([], '2026-11-20T03:00:00.123Z')).toBe('2026-11-20T03:00:00.123Z');
  });

  test('a rule without zones narrows nothing', () => {
    expect(open([rule({ hours: federal, zones: [] })], '2026-11-20T03:00:00Z')).toBe(true);
  });

  test('a date that is closed in one zone is closed until it is over there', () => {
    const christmas = (date: string) => date === '2026-12-25';
    const list = [rule({ isClosed: christmas, zones: ['Australia/Sydney', 'Australia/Perth'] })];
    expect(open(list, '2026-12-24T12:59:59.999Z')).toBe(true);
    expect(open(list, '2026-12-24T13:00:00Z')).toBe(false);
    expect(next(list, '2026-12-24T13:00:00Z')).toBe('2026-12-25T16:00:00.000Z');
  });
});

describe('a rule changes at midnight of the called person', () => {
  const before = rule({ hours: daily('08:00', '20:00'), effectiveTo: '2026-12-31' });
  const after = rule({ hours: daily('10:00', '18:00'), effectiveFrom: '2027-01-01' });
  const zones = ['America/New_York', 'America/Los_Angeles'];

  test('in one zone', () => {
    const list = [before, after];
    expect(open(list, '2027-01-01T00:59:59.999Z')).toBe(true);
    expect(open(list, '2027-01-01T01:00:00Z')).toBe(false);
    expect(next(list, '2027-01-01T01:00:00Z')).toBe('2027-01-01T15:00:00.000Z');
  });

  test('in each zone at its own midnight', () => {
    const closes = [
      rule({ isClosed: () => true, effectiveFrom: '2027-01-01', effectiveTo: '2027-01-01', zones }),
    ];
    expect(open(closes, '2027-01-01T04:59:59.999Z')).toBe(true);
    expect(open(closes, '2027-01-01T05:00:00Z')).toBe(false);
    // Over in New York, not yet in Los Angeles.
    expect(open(closes, '2027-01-02T07:59:59.999Z')).toBe(false);
    expect(next(closes, '2027-01-01T05:00:00Z')).toBe('2027-01-02T08:00:00.000Z');
  });

  test('a rule that ends opens the next day at its first millisecond', () => {
    const list = [rule({ hours: daily('08:00', '09:00'), effectiveTo: '2026-12-31' })];
    expect(next(list, '2026-12-31T15:00:00Z')).toBe('2027-01-01T05:00:00.000Z');
  });
});

describe('clocks that change', () => {
  test('zones that change on different days are each judged by their own clock (Lord Howe and Brisbane)', () => {
    const australian = rule({
      hours: daily('09:00', '20:00'),
      zones: ['Australia/Lord_Howe', 'Australia/Brisbane'],
    });
    // Lord Howe: 10:30 ahead until 3 October 2026, 11:00 ahead from then on.
    expect(open([australian], '2026-10-03T09:29:59.999Z')).toBe(true);
    expect(open([australian], '2026-10-03T09:30:00Z')).toBe(false);
    expect(open([australian], '2026-10-04T08:59:59.999Z')).toBe(true);
    expect(open([australian], '2026-10-04T09:00:00Z')).toBe(false);
  });

  test('an hour that one zone skips and another has', () => {
    const list = [rule({ hours: daily('02:00', '02:30'), zones: ['America/Phoenix', 'America/Denver'] })];
    // On 8 March 2026 Denver goes from 02:00 to 03:00, and is an hour ahead of Phoenix until November.
    expect(next(list, '2026-03-07T09:30:00Z')).toBe('2026-11-01T09:00:00.000Z');
  });
});

describe('hours that no instant is inside', () => {
  test('windows of different zones that never meet', () => {
    const list = [rule({ hours: daily('08:00', '21:00'), zones: ['Pacific/Guam', 'America/New_York'] })];
    const narrow = [rule({ hours: daily('09:00', '17:00'), zones: ['Pacific/Guam', 'America/New_York'] })];
    expect(next(list, '2026-11-20T12:00:00Z')).toBe('2026-11-20T22:00:00.000Z');
    expect(next(narrow, '2026-11-20T12:00:00Z')).toBeNull();
  });

  test('the search ends after 400 days', () => {
    const closedUntil = (effectiveTo: string) => [
      rule({ isClosed: () => true, effectiveTo, zones: ['UTC'] }),
    ];
    expect(next(closedUntil('2027-12-24'), '2026-11-20T00:00:00Z')).toBe('2027-12-25T00:00:00.000Z');
    expect(next(closedUntil('2027-12-25'), '2026-11-20T00:00:00Z')).toBeNull();
  });

  test('an agent without a window', () => {
    expect(next([], '2026-11-20T12:00:00Z', { callingHours: {}, closedDates: [] })).toBeNull();
  });
});

test('an unknown zone throws', () => {
  const list = [rule({ zones: ['Mars/Olympus_Mons'] })];
  expect(() => open(list, '2026-11-20T12:00:00Z')).toThrow(RangeError);
  expect(() => next(list, '2026-11-20T12:00:00Z')).toThrow(RangeError);
});

describe('a change of any clock in which the called person may be', () => {
  const hour = 3_600_000;
  const mayCall = daily('08:00', '21:00');

  test.each([
    ['a toll-free number of the United States', '+18005550123'],
    ['an Australian mobile number', '+61412345678'],
    ['a British mobile number', '+447400123456'],
    ['a Spanish mobile number', '+34612345678'],
    ['a South African mobile number', '+27821234567'],
    ['a number of Alaska', '+19075550123'],
    ['a number of Tennessee', '+14235550123'],
  ])('%s: before and after it, as a minute scan says', (_, e164) => {
    const tables = placeOf(e164).zones.map(tableOf);
    const until = Date.UTC(2028, 0);
    const changes = new Set(tables.flatMap(({ starts }) => starts.slice(1).filter((start) => start < until)));
    const rules = [
      {
        schedule: { callingHours: mayCall, closedDates: ['2026-10-04', '2026-11-01', '2027-03-14'] },
        effectiveFrom: '2026-03-29',
        effectiveTo: null,
        zones: tables,
      },
    ];
    const agent = { schedule: { callingHours: null, closedDates: [] }, zone: tableOf('America/New_York') };
    // Of a place without changes, some days.
    const instants = changes.size > 0 ? [...changes] : [Date.UTC(2026, 9, 4), Date.UTC(2027, 2, 14)];
    const found = instants
      .flatMap((change) => [-24, -9, -1, 0, 1, 3, 15].map((hours) => change + hours * hour))
      .map((from) => lawfulDisagreement({ from, agent, rules }))
      .filter((disagreement) => disagreement !== undefined);
    expect(found).toEqual([]);
  });
});

describe('random rules against a minute scan of every clock', () => {
  const seed = Number(process.env.SEED ?? 20261120);

  test(`agree in 500 cases around changes of clocks and of rules (seed ${seed})`, () => {
    const cases = fc.sample(lawfulCases, { seed, numRuns: 500 });
    const disagreements = cases.map(lawfulDisagreement).filter((found) => found !== undefined);
    expect(disagreements.slice(0, 5)).toEqual([]);
  });

  test('most zones of the cases change their clocks', () => {
    expect(caseZones.filter((zone) => tableOf(zone).starts.length > 1).length).toBeGreaterThan(20);
  });
});
