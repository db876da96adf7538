import { Temporal } from '@js-temporal/polyfill';
import fc from 'fast-check';
import { localTime } from '../../../src/domain/zones/local-time.js';
import { isTimeZone, nextTransition, offsetMs, timeZoneFault } from '../../../src/domain/zones/time-zone.js';
import { zones } from '../support/calling-hours-cases.js';
import { expectEqual } from '../../support/compare.js';

const minute = 60_000;
const hour = 3_600_000;
const seed = 20261120;

const at = (text: string) => Date.parse(text);
const inTemporal = (zone: string, instant: number) =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);

describe('isTimeZone', () => {
  test.each(zones)('accepts %s, also in lower case', (zone) => {
    expect(isTimeZone(zone)).toBe(true);
    expect(isTimeZone(zone.toLowerCase())).toBe(true);
  });

  test.each([
    ['nothing', ''],
    ['an unknown name', 'Mars/Olympus_Mons'],
    ['an offset', '+01:00'],
    ['an offset without a colon', '-0500'],
    ['an offset behind a name', 'UTC+1'],
    ['the letter Z', 'Z'],
    ['a space in front', ' UTC'],
    ['a line end', 'UTC\n'],
    ['a NUL', 'UTC\0'],
    ['a path', '../etc/localtime'],
    ['a property of every object', '__proto__'],
    ['a very long name', 'A'.repeat(100_000)],
    ['a number', 1],
    ['null', null],
    ['undefined', undefined],
    ['an array that reads like a name', ['UTC']],
  ])('refuses %s', (_, name) => {
    expect(isTimeZone(name)).toBe(false);
  });

  test.each(['BST', 'AST', 'SST', 'NST', 'ECT', 'ART', 'IST', 'PST', 'SystemV/EST5EDT', 'US/Pacific-New'])(
    'refuses %s, which Intl takes',
    (name) => {
      expect(new Intl.DateTimeFormat('en', { timeZone: name })).toBeDefined();
      expect(isTimeZone(name)).toBe(false);
      expect(isTimeZone(name.toLowerCase())).toBe(false);
      expect(timeZoneFault(name)).toMatch(/^must be an IANA time zone name/);
    },
  );

  test.each([
    ['EST', 'America/New_York'],
    ['est', 'America/New_York'],
    ['MST', 'America/Denver'],
    ['HST', 'Pacific/Honolulu'],
    ['BST', 'Europe/London'],
  ])('refuses %s with the likely name %s', (name, likely) => {
    expect(isTimeZone(name)).toBe(false);
    expect(timeZoneFault(name)).toContain(likely);
  });

  test('each likely name is accepted', () => {
    for (const name of ['est', 'mst', 'hst', 'pst', 'cst', 'ist', 'bst', 'ast', 'ect', 'cest', 'aest']) {
      const named = timeZoneFault(name)?.match(/[A-Z][\w]+\/[\w/]+/g) ?? [];
      expect(named).not.toEqual([]);
      for (const one of named) expect([one, isTimeZone(one)]).toEqual([one, true]);
    }
  });

  test.each(['EST5EDT', 'MST7MDT', 'CET', 'GMT', 'GMT0', 'ROK', 'W-SU'])(
    'accepts %s, a name of IANA',
    (name) => {
      expect(isTimeZone(name)).toBe(true);
    },
  );
});

describe('offsetMs', () => {
  test.each([
    ['America/New_York', '2026-03-08T06:59:59.999Z', -5 * hour],
    ['America/New_York', '2026-03-08T07:00:00.000Z', -4 * hour],
    ['Asia/Kathmandu', '2026-01-01T00:00:00Z', 5.75 * hour],
    ['Pacific/Kiritimati', '2026-01-01T00:00:00Z', 14 * hour],
    ['UTC', '2026-01-01T00:00:00Z', 0],
    ['Africa/Monrovia', '1971-06-01T00:00:00.250Z', -(44 * minute + 30_000)],
  ])('in %s at %s', (zone, instant, expected) => {
    expect(offsetMs(zone, at(instant))).toBe(expected);
  });

  test('agrees with Temporal in every zone at random instants', () => {
    const instants = fc.integer({ min: at('2000-01-01'), max: at('2037-01-01') });
    for (const [index, zone] of zones.entries()) {
      for (const instant of fc.sample(instants, { seed: seed + index, numRuns: 10 })) {
        expectEqual(
          [zone, instant, offsetMs(zone, instant)],
          [zone, instant, inTemporal(zone, instant).offsetNanoseconds / 1e6],
        );
      }
    }
  });

  test('throws for an unknown zone', () => {
    expect(() => offsetMs('Mars/Olympus_Mons', 0)).toThrow(RangeError);
    expect(() => offsetMs('+01:00', 0)).toThrow(RangeError);
  });

  test('throws for an invalid instant', () => {
    expect(() => offsetMs('UTC', NaN)).toThrow(RangeError);
  });
});

describe('nextTransition', () => {
  const next = (zone: string, after: string, until: string) => {
    const found = nextTransition(zone, at(after), at(until));
    return found === undefined ? undefined : new Date(found).toISOString();
  };

  test.each([
    ['New York springs forward', 'America/New_York', '2026-03-01', '2026-03-08T07:00:00.000Z'],
    ['Lord Howe goes back by half an hour', 'Australia/Lord_Howe', '2026-03-01', '2026-04-04T15:00:00.000Z'],
    ['Santiago skips midnight', 'America/Santiago', '2026-09-01', '2026-09-06T04:00:00.000Z'],
    ['Apia skips a day', 'Pacific/Apia', '2011-12-01', '2011-12-30T10:00:00.000Z'],
  ])('%s', (_, zone, after, expected) => {
    expect(next(zone, after, '2027-01-01')).toBe(expected);
  });

  test('finds a transition at the end of the span, but not at its start', () => {
    expect(next('America/New_York', '2026-03-08T06:59:59.999Z', '2026-03-08T07:00:00Z')).toBe(
      '2026-03-08T07:00:00.000Z',
    );
    expect(next('America/New_York', '2026-03-08T07:00:00Z', '2026-03-09')).toBeUndefined();
  });

  test('finds none if the clock never changes or the span is empty', () => {
    expect(next('Asia/Tokyo', '2026-01-01', '2027-01-01')).toBeUndefined();
    expect(next('America/New_York', '2026-03-08T07:00:00Z', '2026-03-08T07:00:00Z')).toBeUndefined();
  });
});

describe('localTime', () => {
  test('reads the local wall clock', () => {
    expect(localTime('America/New_York', new Date('2026-11-20T14:00:00Z'))).toBe('Fri 2026-11-20 09:00');
    expect(localTime('pacific/kiritimati', new Date('2026-11-20T14:00:00Z'))).toBe('Sat 2026-11-21 04:00');
  });

  test('agrees with Temporal in every zone at random instants', () => {
    const instants = fc.integer({ min: at('2000-01-01'), max: at('2037-01-01') });
    for (const [index, zone] of zones.entries()) {
      for (const instant of fc.sample(instants, { seed: seed - index, numRuns: 3 })) {
        const expected = inTemporal(zone, instant).toPlainDateTime().toString({ smallestUnit: 'minute' });
        expectEqual([zone, localTime(zone, new Date(instant)).slice(4)], [zone, expected.replace('T', ' ')]);
      }
    }
  });

  test('throws for an unknown zone', () => {
    expect(() => localTime('Mars/Olympus_Mons', new Date(0))).toThrow(RangeError);
  });
});
