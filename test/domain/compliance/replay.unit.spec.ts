import { recordOf } from '../../../src/domain/compliance/record.js';
import { replayOf } from '../../../src/domain/compliance/replay.js';
import { Packs } from '../../../src/compliance/packs/packs.service.js';
import { contentOf, packOfContent } from '../../../src/compliance/packs/pack-content.js';
import { PACKAGED } from '../../../src/domain/zones/packaged.js';
import { byZoneData, zoneData } from '../../../src/domain/zones/time-zone.js';
import { ZoneData } from '../../../src/domain/zones/zone-data.js';
import { caseOf, daily, pack, refusingCases, rule } from '../support/compliance.js';

const NOW = new Date('2026-11-20T15:00:00.000Z');
const by = (...all: ReturnType<typeof pack>[]) => ({ packs: new Packs(() => all), zones: zoneData() });
/** Data by which New York's clocks stay at Tokyo's offset. */
const older = new ZoneData({
  ...PACKAGED,
  version: '2000a',
  zones: PACKAGED.zones.map((zone) =>
    zone.startsWith('America/New_York|') ? 'America/New_York|JST|-90|0||38e6' : zone,
  ),
});

test('a kept decision is the same by the packs of its date, read from what was kept of them', () => {
  for (const one of Object.values(refusingCases(NOW.getTime()))) {
    const record = JSON.parse(JSON.stringify(recordOf(one, NOW))) as ReturnType<typeof recordOf>;
    const kept = by(...one.applicable.packs.map((each) => packOfContent(contentOf(each))));
    expect(replayOf(record, NOW, kept, kept)).toEqual({ differences: [], today: [] });
  }
});

test('names the rules of which today’s packs say something else', () => {
  const cap = rule(
    { kind: 'frequencyCap', max: 1, window: { length: 1, unit: 'days', type: 'rolling' } },
    { id: 'cap' },
  );
  const one = caseOf([cap], { processedAt: [NOW.getTime() - 3_600_000] });
  const laxer = by(
    pack([{ ...cap, max: 2 } as typeof cap, rule({ kind: 'prohibition', what: 'x' }, { id: 'new' })]),
  );
  expect(replayOf(recordOf(one, NOW), NOW, by(pack([cap])), laxer)).toEqual({
    differences: [],
    today: [
      { rule: 'cap', kept: 'refuse', now: 'allow' },
      { rule: 'new', kept: null, now: 'refuse' },
    ],
  });
});

test('is impossible once the facts were erased with the contact', () => {
  const record = { ...recordOf(caseOf([]), NOW), facts: undefined };
  expect(replayOf(record, NOW, by(), by())).toBeNull();
});

test('a kept decision is the same by the zone data of its date, and says where those of today differ', () => {
  const hours = rule(
    { kind: 'callingHours', clock: 'calledParty', hours: daily('08:00', '21:00') },
    { id: 'hours' },
  );
  const record = byZoneData(older, () => recordOf(caseOf([hours]), NOW));
  expect(record).toMatchObject({ tzdata: '2000a', verdicts: { hours: 'refuse' } });
  const packs = by(pack([hours]));
  expect(replayOf(record, NOW, { ...packs, zones: older }, packs)).toEqual({
    differences: [],
    today: [{ rule: 'hours', kept: 'refuse', now: 'allow' }],
  });
  expect(zoneData().version).toBe(PACKAGED.version);
});
