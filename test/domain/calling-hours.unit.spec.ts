import { Temporal } from '@js-temporal/polyfill';
import fc from 'fast-check';
import {
  isOpen,
  nextOpening,
  type CallingHours,
  type CallingWindow,
} from '../../src/domain/calling-hours.js';
import { casesAround, disagreement, zones } from './support/calling-hours-cases.js';
import { reading, zoneTable } from './support/calling-hours-oracle.js';

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
const daily = (start: string, end: string): CallingHours =>
  Object.fromEntries(weekdays.map((weekday) => [weekday, [{ start, end }]]));
const on = (weekday: (typeof weekdays)[number], ...windows: [string, string][]): CallingHours => ({
  [weekday]: windows.map(([start, end]): CallingWindow => ({ start, end })),
});

const open = (callingHours: CallingHours, zone: string, instant: string, closedDates: string[] = []) =>
  isOpen({ callingHours, closedDates }, zone, new Date(instant));
const next = (callingHours: CallingHours, zone: string, from: string, closedDates: string[] = []) =>
  nextOpening({ callingHours, closedDates }, zone, new Date(from)).toISOString();

const newYork = 'America/New_York';
const weekend: CallingHours = { ...on('friday', ['09:00', '17:00']), ...on('monday', ['10:00', '12:00']) };

describe('ordinary days (20 November 2026 is a Friday, New York is five hours behind UTC)', () => {
  test('a window is half-open, to the millisecond', () => {
    expect(open(weekend, newYork, '2026-11-20T13:59:59.999Z')).toBe(false);
    expect(open(weekend, newYork, '2026-11-20T14:00:00.000Z')).toBe(true);
    expect(open(weekend, newYork, '2026-11-20T21:59:59.999Z')).toBe(true);
    expect(open(weekend, newYork, '2026-11-20T22:00:00.000Z')).toBe(false);
  });

  test('before the window, the next opening is its start', () => {
    expect(next(weekend, newYork, '2026-11-20T08:00:12.345Z')).toBe('2026-11-20T14:00:00.000Z');
  });

  test('inside, the next opening is now, to the millisecond', () => {
    expect(next(weekend, newYork, '2026-11-20T15:00:12.345Z')).toBe('2026-11-20T15:00:12.345Z');
  });

  test('after the window, the next opening is over the weekend', () => {
    expect(next(weekend, newYork, '2026-11-20T22:00:00Z')).toBe('2026-11-23T15:00:00.000Z');
  });

  test('a single weekly window that has ended opens again in a week', () => {
    expect(next(on('friday', ['09:00', '17:00']), newYork, '2026-11-20T22:00:00Z')).toBe(
      '2026-11-27T14:00:00.000Z',
    );
  });

  test('several windows a day apply in any order, also if they overlap', () => {
    const hours = on('friday', ['14:00', '16:00'], ['09:00', '10:00'], ['15:00', '17:00']);
    expect(open(hours, newYork, '2026-11-20T15:30:00Z')).toBe(false);
    expect(next(hours, newYork, '2026-11-20T12:00:00Z')).toBe('2026-11-20T14:00:00.000Z');
    expect(next(hours, newYork, '2026-11-20T15:30:00Z')).toBe('2026-11-20T19:00:00.000Z');
    expect(open(hours, newYork, '2026-11-20T21:30:00Z')).toBe(true);
  });

  test('null means any time', () => {
    expect(open(null, newYork, '2026-11-20T03:00:00Z')).toBe(true);
    expect(next(null, newYork, '2026-11-20T03:00:00.001Z')).toBe('2026-11-20T03:00:00.001Z');
  });

  test('the weekday is the local one', () => {
    const hours = on('saturday', ['00:00', '24:00']);
    expect(open(hours, 'Pacific/Kiritimati', '2026-11-20T10:00:00Z')).toBe(true);
    expect(open(hours, 'Pacific/Pago_Pago', '2026-11-21T10:59:59Z')).toBe(false);
  });
});

describe('midnight', () => {
  const night = on('friday', ['22:00', '02:00']);

  test.each(['24:00', '00:00'])('an end of %s is the end of the day', (end) => {
    expect(open(on('friday', ['22:00', end]), 'UTC', '2026-11-20T23:59:59.999Z')).toBe(true);
    expect(open(on('friday', ['22:00', end]), 'UTC', '2026-11-21T00:00:00.000Z')).toBe(false);
  });

  test('a window that ends before its start lasts into the next day', () => {
    expect(open(night, 'UTC', '2026-11-21T01:59:59.999Z')).toBe(true);
    expect(open(night, 'UTC', '2026-11-21T02:00:00.000Z')).toBe(false);
  });

  test('such a window does not open on the early hours of its first day', () => {
    expect(open(night, 'UTC', '2026-11-20T01:00:00Z')).toBe(false);
  });

  test('the night of Sunday belongs to Monday morning', () => {
    expect(open(on('sunday', ['22:00', '02:00']), 'UTC', '2026-11-23T01:00:00Z')).toBe(true);
  });
});

describe('closed dates (21 November 2026 is a Saturday)', () => {
  const nights = daily('22:00', '02:00');

  test('a window that would start on a closed date does not open, including its part on the next day', () => {
    expect(open(nights, 'UTC', '2026-11-21T23:00:00Z', ['2026-11-21'])).toBe(false);
    expect(open(nights, 'UTC', '2026-11-22T01:00:00Z', ['2026-11-21'])).toBe(false);
  });

  test('a window from the evening before ends at midnight', () => {
    expect(open(nights, 'UTC', '2026-11-20T23:59:59.999Z', ['2026-11-21'])).toBe(true);
    expect(open(nights, 'UTC', '2026-11-21T00:00:00.000Z', ['2026-11-21'])).toBe(false);
    expect(next(nights, 'UTC', '2026-11-21T00:00:00Z', ['2026-11-21'])).toBe('2026-11-22T22:00:00.000Z');
  });

  test('closed dates also close any-time hours, by the local date', () => {
    expect(open(null, newYork, '2026-11-21T05:00:00Z', ['2026-11-21'])).toBe(false);
    expect(next(null, newYork, '2026-11-21T05:00:00Z', ['2026-11-21'])).toBe('2026-11-22T05:00:00.000Z');
  });

  test('a thousand closed Fridays only postpone the opening', () => {
    const fridays = Array.from({ length: 1000 }, (_, week) =>
      new Date(Date.UTC(2026, 10, 20 + 7 * week)).toISOString().slice(0, 10),
    );
    expect(next(on('friday', ['09:00', '17:00']), newYork, '2026-11-20T15:00:00Z', fridays)).toBe(
      '2046-01-19T14:00:00.000Z',
    );
  });
});

describe('when the clock changes', () => {
  test('a window inside a gap does not open that day (New York, 8 March 2026)', () => {
    const hours = daily('02:15', '02:45');
    expect(next(hours, newYork, '2026-03-08T06:59:00Z')).toBe('2026-03-09T06:15:00.000Z');
  });

  test('a window that starts inside a gap opens right after it', () => {
    expect(next(daily('02:30', '04:00'), newYork, '2026-03-08T05:00:00Z')).toBe('2026-03-08T07:00:00.000Z');
  });

  test('a repeated hour is inside both times (New York, 1 November 2026)', () => {
    const hours = daily('01:00', '01:30');
    expect(open(hours, newYork, '2026-11-01T05:15:00Z')).toBe(true);
    expect(open(hours, newYork, '2026-11-01T05:45:00Z')).toBe(false);
    expect(open(hours, newYork, '2026-11-01T06:15:00Z')).toBe(true);
    expect(open(hours, newYork, '2026-11-01T06:30:00Z')).toBe(false);
  });

  test('a window opens again because the clock goes back into it', () => {
    expect(next(daily('01:00', '01:30'), newYork, '2026-11-01T05:45:00Z')).toBe('2026-11-01T06:00:00.000Z');
    expect(next(daily('00:30', '01:30'), newYork, '2026-11-01T05:30:00Z')).toBe('2026-11-01T06:00:00.000Z');
  });

  test('a change by half an hour is handled (Lord Howe, 5 April 2026)', () => {
    expect(next(daily('01:30', '01:45'), 'Australia/Lord_Howe', '2026-04-04T14:45:00Z')).toBe(
      '2026-04-04T15:00:00.000Z',
    );
  });

  test('a day may begin at one (Santiago, 6 September 2026; Cairo, 24 April 2026)', () => {
    expect(next(daily('00:00', '06:00'), 'America/Santiago', '2026-09-06T03:30:00Z')).toBe(
      '2026-09-06T04:00:00.000Z',
    );
    expect(next(daily('00:30', '00:45'), 'Africa/Cairo', '2026-04-23T21:59:00Z')).toBe(
      '2026-04-24T21:30:00.000Z',
    );
  });

  test('a date may repeat after its end (Havana, 2 November 2025 from 01:00 to 00:00)', () => {
    expect(next(daily('00:00', '00:10'), 'America/Havana', '2025-11-02T04:30:00Z')).toBe(
      '2025-11-02T05:00:00.000Z',
    );
  });

  test('the previous date may repeat (St. John’s, 7 November 2010 from 00:01 to 23:01)', () => {
    const hours = daily('23:30', '24:00');
    expect(next(hours, 'America/St_Johns', '2010-11-07T02:30:30Z')).toBe('2010-11-07T03:00:00.000Z');
    expect(open(hours, 'America/St_Johns', '2010-11-07T03:29:59.999Z')).toBe(true);
  });

  test('a date that a zone skips has no windows, but its calendar night still ends (Apia, 30 December 2011)', () => {
    expect(next(on('friday', ['09:00', '17:00']), 'Pacific/Apia', '2011-12-29T12:00:00Z')).toBe(
      '2012-01-05T19:00:00.000Z',
    );
    expect(next(on('friday', ['22:00', '02:00']), 'Pacific/Apia', '2011-12-29T12:00:00Z')).toBe(
      '2011-12-30T10:00:00.000Z',
    );
  });
});

describe('throws for invalid facts', () => {
  test.each([
    ['an unknown zone', 'Mars/Olympus_Mons', '2026-11-20T14:00:00Z', weekend],
    ['an invalid instant', 'UTC', 'never', weekend],
  ])('%s', (_, zone, instant, hours) => {
    expect(() => open(hours, zone, instant)).toThrow(RangeError);
    expect(() => next(hours, zone, instant)).toThrow(RangeError);
  });

  test('throws for hours without a window, which validation refuses', () => {
    expect(() => next({}, 'UTC', '2026-11-20T14:00:00Z')).toThrow('never open');
  });
});

describe('random schedules against a minute scan of the wall clock', () => {
  const seed = Number(process.env.SEED ?? 20261120);
  const since = Date.UTC(2024, 0);
  const until = Date.UTC(2031, 0);
  const sampledZones = 60;
  const casesPerAnchor = 4;

  test(`agree in ${sampledZones} zones at all their transitions and some other instants (seed ${seed})`, () => {
    const some = fc.shuffledSubarray([...zones], { minLength: sampledZones, maxLength: sampledZones });
    const disagreements: string[] = [];
    let batch = seed;
    let cases = 0;
    for (const zone of fc.sample(some, { seed, numRuns: 1 })[0]!) {
      const table = zoneTable(zone, since - 1, until + 365 * 86_400_000);
      const others = fc.sample(fc.integer({ min: since, max: until }), { seed: batch++, numRuns: 4 });
      for (const anchor of [...table.starts.slice(1).filter((start) => start < until), ...others]) {
        for (const one of fc.sample(casesAround(table, anchor), { seed: batch++, numRuns: casesPerAnchor })) {
          cases++;
          const found = disagreement(table, one);
          if (found !== undefined) disagreements.push(found);
        }
      }
    }
    process.stdout.write(
      `calling hours: ${cases} cases, seed ${seed}, ${disagreements.length} disagreements\n`,
    );
    expect(disagreements.slice(0, 5)).toEqual([]);
    expect(cases).toBeGreaterThan(1000);
  });

  test('the scan reads the wall clock like Temporal', () => {
    for (const zone of ['America/New_York', 'Australia/Lord_Howe', 'Africa/Cairo', 'Asia/Kathmandu']) {
      const table = zoneTable(zone, since, until);
      for (const instant of fc.sample(fc.integer({ min: since, max: until }), { seed, numRuns: 200 })) {
        const local = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);
        expect(new Date(reading(table, instant)).toISOString().slice(0, -1)).toBe(
          local.toPlainDateTime().toString({ smallestUnit: 'millisecond' }),
        );
      }
    }
  });
});
