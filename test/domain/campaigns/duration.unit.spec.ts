import { Temporal } from '@js-temporal/polyfill';
import fc from 'fast-check';
import { addDuration, nominalMs, parseDuration } from '../../../src/domain/campaigns/duration.js';
import { expectEqual, expectSame } from '../../support/compare.js';
import { zones } from '../support/calling-hours-cases.js';

const added = (from: string, text: string, zone: string) =>
  addDuration(new Date(from), parseDuration(text)!, zone).toISOString();

test.each([
  ['PT0S', 0, 0],
  ['P1W', 7, 0],
  ['P1W2D', 9, 0],
  ['P3D', 3, 0],
  ['PT2H', 0, 7_200_000],
  ['PT15M', 0, 900_000],
  ['P1DT1H1M1S', 1, 3_661_000],
  ['PT24H', 0, 86_400_000],
  ['P366D', 366, 0],
  ['PT8784H', 0, 31_622_400_000],
])('durations are ISO 8601 with W, D, H, M, S: %s', (text, days, elapsedMs) => {
  expect(parseDuration(text)).toEqual({ days, elapsedMs });
});

test.each([
  '',
  'P',
  'PT',
  'P1DT',
  '1D',
  'P1Y',
  'P1M',
  'P-1D',
  '-P1D',
  'P1.5D',
  'PT0.5S',
  'p1d',
  'P1D ',
  'P1H',
  'PT1D',
  'P1D1W',
  'P１D',
  'P1D\n',
  `P${'9'.repeat(400)}D`,
])('no duration: %j', (text) => expect(parseDuration(text)).toBeUndefined());

test.each(['P367D', 'P366DT1S', 'P53W', 'PT8785H'])('at most P366D: not %s', (text) => {
  expect(parseDuration(text)).toBeUndefined();
});

test('weeks and days keep the local time', () => {
  expect(added('2026-03-07T15:00:00.000Z', 'P1D', 'America/New_York')).toBe('2026-03-08T14:00:00.000Z');
  expect(added('2026-10-24T07:30:00.000Z', 'P1W', 'Europe/Berlin')).toBe('2026-10-31T08:30:00.000Z');
});

test('H, M and S are elapsed time', () => {
  expect(added('2026-03-07T15:00:00.000Z', 'PT24H', 'America/New_York')).toBe('2026-03-08T15:00:00.000Z');
  expect(added('2026-03-07T15:00:00.000Z', 'P1DT1H', 'America/New_York')).toBe('2026-03-08T15:00:00.000Z');
  // In the second of two hours that read the same.
  expect(added('2026-11-01T06:30:00.000Z', 'PT0S', 'America/New_York')).toBe('2026-11-01T06:30:00.000Z');
});

test('a local time that does not exist becomes the instant after the gap', () => {
  expect(added('2026-03-07T07:30:00.000Z', 'P1D', 'America/New_York')).toBe('2026-03-08T07:00:00.000Z');
  // Samoa skipped 30 December 2011.
  expect(added('2011-12-29T22:00:00.000Z', 'P1D', 'Pacific/Apia')).toBe('2011-12-30T10:00:00.000Z');
});

test('a local time that exists twice is the earlier one', () => {
  expect(added('2026-10-31T05:30:00.000Z', 'P1D', 'America/New_York')).toBe('2026-11-01T05:30:00.000Z');
});

/** Temporal's reading of the same sentences. */
function byTemporal(from: number, days: number, elapsedMs: number, zone: string): number {
  const start = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone);
  if (days === 0) return from + elapsedMs;
  const wall = start.toPlainDateTime().add({ days });
  const earlier = wall.toZonedDateTime(zone, { disambiguation: 'earlier' });
  const exists = earlier.toPlainDateTime().equals(wall);
  const instant = exists ? earlier : earlier.getTimeZoneTransition('next')!;
  return instant.epochMilliseconds + elapsedMs;
}

test('addition agrees with Temporal in every zone, around transitions', () => {
  const transitionOf = (zone: string, since: number) =>
    Temporal.Instant.fromEpochMilliseconds(since).toZonedDateTimeISO(zone).getTimeZoneTransition('next')
      ?.epochMilliseconds ?? since;
  const cases = fc.record({
    zone: fc.constantFrom(...zones),
    since: fc.integer({ min: Date.UTC(2009, 0), max: Date.UTC(2035, 0) }),
    minutes: fc.integer({ min: -26 * 60, max: 26 * 60 }),
    days: fc.integer({ min: 0, max: 366 }),
    elapsedMs: fc.constantFrom(0, 0, 1_000, 3_600_000, 86_400_000),
  });
  fc.assert(
    fc.property(cases, ({ zone, since, minutes, days, elapsedMs }) => {
      // Lands within a day of a change of the clock.
      const from = transitionOf(zone, since) - days * 86_400_000 + minutes * 60_000;
      const sum = addDuration(new Date(from), { days, elapsedMs }, zone).getTime();
      expectEqual([zone, from, days, sum], [zone, from, days, byTemporal(from, days, elapsedMs, zone)]);
    }),
    { seed: 20261122, numRuns: 300 },
  );
});

test('parsing agrees with Temporal', () => {
  const part = (letter: string) =>
    fc
      .option(fc.integer({ min: 0, max: 400 }), { nil: null })
      .map((n) => (n === null ? '' : `${n}${letter}`));
  const texts = fc
    .tuple(part('W'), part('D'), part('H'), part('M'), part('S'))
    .map(([w, d, ...time]) => `P${w}${d}${time.join('') === '' ? '' : `T${time.join('')}`}`);
  fc.assert(
    fc.property(texts, (text) => {
      const parsed = parseDuration(text);
      if (text === 'P') return expect(parsed).toBeUndefined();
      const ms = Temporal.Duration.from(text).total({
        unit: 'milliseconds',
        relativeTo: '2026-01-01T00:00Z[UTC]',
      });
      expectSame(parsed && nominalMs(parsed), ms <= 366 * 86_400_000 ? ms : undefined);
    }),
    { seed: 1, numRuns: 1_000 },
  );
});

test.each(['Mars/Olympus', 'BST', 'EST'])(
  'in %s, a zone that dials nothing, days are those of UTC',
  (zone) => {
    // Changes of the clocks of New York and of London are within these days.
    for (const from of ['2026-03-07T15:00:00.000Z', '2026-10-24T07:30:00.000Z']) {
      expect(added(from, 'P1DT1H', zone)).toBe(added(from, 'P1DT1H', 'UTC'));
    }
  },
);
