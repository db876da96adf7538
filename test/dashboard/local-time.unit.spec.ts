import { duration } from '../../src/domain/narrator/duration.js';
import { dayIn, localHours, startOfDay } from '../../src/dashboard/design/local-time.js';

const hoursOf = (zone: string, now: string, count = 24) => {
  const { starts, end } = localHours(zone, new Date(now), count);
  return [...starts, end].map((at) => at.toISOString().slice(5, 16));
};

test('hours begin when the zone’s clock shows a full hour', () => {
  expect(hoursOf('UTC', '2026-11-20T15:59:59.999Z', 2)).toEqual([
    '11-20T15:00',
    '11-20T16:00',
    '11-20T17:00',
  ]);
  expect(hoursOf('Asia/Kathmandu', '2026-11-20T15:20:00Z', 1)).toEqual(['11-20T15:15', '11-20T16:15']);
  expect(hoursOf('UTC', '1960-01-01T00:30:00Z', 1)).toEqual(['01-01T00:00', '01-01T01:00']);
});

test('a change by half an hour makes one short hour', () => {
  // Lord Howe Island goes back by half an hour at 02:00, to 01:30.
  expect(hoursOf('Australia/Lord_Howe', '2026-04-04T14:10:00Z', 3)).toEqual([
    '04-04T14:00',
    '04-04T15:00',
    '04-04T15:30',
    '04-04T16:30',
  ]);
});

test('24 hours are 24 across a change of the clock', () => {
  for (const [zone, now] of [
    ['America/New_York', '2026-03-08T06:30:00Z'],
    ['America/New_York', '2026-11-01T05:30:00Z'],
    ['Europe/Berlin', '2026-10-24T23:30:00Z'],
  ] as const)
    expect(new Set(hoursOf(zone, now)).size).toBe(25);
});

test.each([
  ['UTC', '2026-11-20T00:00:00.000Z', '2026-11-20T00:00:00.000Z'],
  ['UTC', '2026-11-20T23:59:59.999Z', '2026-11-20T00:00:00.000Z'],
  ['America/New_York', '2026-11-20T04:59:00Z', '2026-11-19T05:00:00.000Z'],
  ['Pacific/Kiritimati', '2026-11-20T10:00:00Z', '2026-11-20T10:00:00.000Z'],
  // Days of 25 and of 23 hours.
  ['America/New_York', '2026-11-02T04:59:00Z', '2026-11-01T04:00:00.000Z'],
  ['America/New_York', '2026-11-02T05:30:00Z', '2026-11-02T05:00:00.000Z'],
  ['America/New_York', '2026-03-09T04:10:00Z', '2026-03-09T04:00:00.000Z'],
  // Midnight does not exist on the day on which Cairo's summer begins.
  ['Africa/Cairo', '2026-04-24T10:00:00Z', '2026-04-23T22:00:00.000Z'],
])('in %s the day of %s began at %s', (zone, now, began) => {
  expect(startOfDay(zone, new Date(now)).toISOString()).toBe(began);
});

test.each([
  ['UTC', '2026-11-20', '2026-11-20T00:00:00.000Z', '2026-11-21T00:00:00.000Z'],
  ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'],
  ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z'],
  ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z', '2026-04-24T21:00:00.000Z'],
  ['Pacific/Kiritimati', '2026-11-20', '2026-11-19T10:00:00.000Z', '2026-11-20T10:00:00.000Z'],
  // Samoa went over the date line: it had no 30th of December.
  ['Pacific/Apia', '2011-12-29', '2011-12-29T10:00:00.000Z', '2011-12-30T10:00:00.000Z'],
])('in %s the %s lasts from %s to %s', (zone, date, from, to) => {
  expect(dayIn(zone, date)).toEqual({ from: new Date(from), to: new Date(to) });
});

test.each([
  ['UTC', '2026-02-29'],
  ['UTC', '2026-13-01'],
  ['UTC', '26-11-20'],
  ['UTC', ''],
  ['Pacific/Apia', '2011-12-30'],
])('in %s there is no day %p', (zone, date) => {
  expect(dayIn(zone, date)).toBeNull();
});

test.each([
  [0, '0.0 s'],
  [-5, '0.0 s'],
  [9_940, '9.9 s'],
  [10_000, '10 s'],
  [192_000, '3 min 12 s'],
  [3_600_000, '1 h'],
  [3_900_000, '1 h 5 min'],
  [90_061_000, '1 d 1 h'],
  [86_460_000, '1 d'],
])('%d ms are shown as %s', (ms, text) => {
  expect(duration(ms)).toBe(text);
});
