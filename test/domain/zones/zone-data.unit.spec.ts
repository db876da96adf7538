import fc from 'fast-check';
import { PACKAGED } from '../../../src/domain/zones/packaged.js';
import { unpackZone } from '../../../src/domain/zones/packed-zones.js';
import { offsetMs, useZoneData, zoneData } from '../../../src/domain/zones/time-zone.js';
import { ZoneData } from '../../../src/domain/zones/zone-data.js';
import { expectEqual } from '../../support/compare.js';

const HOUR_MS = 3_600_000;

afterEach(() => useZoneData(new ZoneData(PACKAGED)));

test.each([
  ['British Columbia', 'America/Vancouver', '2026-11-27T12:00Z', -7],
  ['Alberta', 'America/Edmonton', '2026-11-27T12:00Z', -6],
  ['Morocco, since 20 September 2026', 'Africa/Casablanca', '2026-09-20T12:00Z', 0],
  ['Morocco, before', 'Africa/Casablanca', '2026-09-19T12:00Z', 1],
  ['the Northwest Territories', 'America/Yellowknife', '2026-11-27T12:00Z', -6],
  ['Inuvik, in the Northwest Territories', 'America/Inuvik', '2027-01-15T12:00Z', -6],
  ['Manitoba, since 31 October 2026', 'America/Winnipeg', '2026-11-27T12:00Z', -5],
  ['Manitoba, the winter before', 'America/Winnipeg', '2026-01-15T12:00Z', -6],
  ['Manitoba, in a later winter', 'America/Winnipeg', '2030-01-15T12:00Z', -5],
])('%s (%s at %s) is %s hours ahead of UTC', (_, zone, instant, hours) => {
  expect(offsetMs(zone, Date.parse(instant)) / HOUR_MS).toBe(hours);
});

test('every zone of the packaged data can be read', () => {
  expect(zoneData().check().names().length).toBeGreaterThan(590);
});

test('the yearly changes go on after the end of the data, as they do in longer data', () => {
  const end = Date.UTC(2037, 11, 31);
  const cut = new ZoneData({ ...PACKAGED, zones: PACKAGED.zones.map((zone) => cutAt(zone, end)) });
  const whole = zoneData();
  // Their clocks follow Ramadan.
  const irregular = new Set(['Asia/Gaza', 'Asia/Hebron']);
  const instants = fc.sample(fc.integer({ min: Date.UTC(2036, 0), max: Date.UTC(2110, 0) }), {
    seed: 20261127,
    numRuns: 100,
  });
  for (const name of cut.names()) {
    const [one, other] = [cut.zone(name), whole.zone(name)];
    if (one === undefined || other === undefined || irregular.has(name)) continue;
    for (const instant of instants) {
      const { from, until, offset } = one.at(instant);
      expectEqual([name, instant, { from, until, offset }], [name, instant, { ...other.at(instant) }]);
    }
  }
});

test('a zone without yearly changes keeps its last offset', () => {
  expect(offsetMs('Asia/Tokyo', Date.UTC(9999, 0))).toBe(9 * HOUR_MS);
  expect(offsetMs('America/New_York', Date.UTC(9999, 6))).toBe(-4 * HOUR_MS);
  expect(offsetMs('America/New_York', Date.UTC(9999, 0))).toBe(-5 * HOUR_MS);
});

test.each([
  ['a version that is none', { ...PACKAGED, version: 'latest' }],
  ['a link without its zone', { ...PACKAGED, links: ['Mars/Olympus_Mons|Mars/Base'] }],
  ['a name that is none', { ...PACKAGED, zones: ['Mars Base|M|0|0||'] }],
  ['too few instants', { ...PACKAGED, zones: ['Etc/UTC|A B|0 10|01||'], links: [] }],
  ['an offset that does not exist', { ...PACKAGED, zones: ['Etc/UTC|A|0|1||'], links: [] }],
  ['an instant that is no number', { ...PACKAGED, zones: ['Etc/UTC|A B|0 10|01|-!|'], links: [] }],
])('refuses data with %s', (_, data) => {
  expect(() => new ZoneData(data).check()).toThrow(RangeError);
});

/** A packed zone without its transitions from `end` on. */
function cutAt(packed: string, end: number): string {
  const [name, abbreviations, offsets, indexes = '', instants = '', ...rest] = packed.split('|');
  const steps = instants === '' ? [] : instants.split(' ');
  // Every transition changes the clock in the years around the end, so their number from the end tells the cut.
  const later = unpackZone(packed).starts.filter((start) => start >= end).length;
  return [
    name,
    abbreviations,
    offsets,
    indexes.slice(0, indexes.length - later),
    steps.slice(0, steps.length - later).join(' '),
    ...rest,
  ].join('|');
}
