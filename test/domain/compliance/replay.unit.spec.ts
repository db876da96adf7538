import { recordOf } from '../../../src/domain/compliance/record.js';
import { replayOf } from '../../../src/domain/compliance/replay.js';
import { Packs } from '../../../src/compliance/packs/packs.service.js';
import { contentOf, packOfContent } from '../../../src/compliance/packs/pack-content.js';
import { caseOf, pack, refusingCases, rule } from '../support/compliance.js';

const NOW = new Date('2026-11-20T15:00:00.000Z');
const packs = (...all: ReturnType<typeof pack>[]) => new Packs(() => all);

test('a kept decision is the same by the packs of its date, read from what was kept of them', () => {
  for (const one of Object.values(refusingCases(NOW.getTime()))) {
    const record = JSON.parse(JSON.stringify(recordOf(one, NOW))) as ReturnType<typeof recordOf>;
    const kept = packs(...one.applicable.packs.map((each) => packOfContent(contentOf(each))));
    expect(replayOf(record, NOW, kept, kept)).toEqual({ differences: [], today: [] });
  }
});

test('names the rules of which today’s packs say something else', () => {
  const cap = rule(
    { kind: 'frequencyCap', max: 1, window: { length: 1, unit: 'days', type: 'rolling' } },
    { id: 'cap' },
  );
  const one = caseOf([cap], { processedAt: [NOW.getTime() - 3_600_000] });
  const laxer = packs(
    pack([{ ...cap, max: 2 } as typeof cap, rule({ kind: 'prohibition', what: 'x' }, { id: 'new' })]),
  );
  expect(replayOf(recordOf(one, NOW), NOW, packs(pack([cap])), laxer)).toEqual({
    differences: [],
    today: [
      { rule: 'cap', kept: 'refuse', now: 'allow' },
      { rule: 'new', kept: null, now: 'refuse' },
    ],
  });
});

test('is impossible once the facts were erased with the contact', () => {
  const record = { ...recordOf(caseOf([]), NOW), facts: undefined };
  expect(replayOf(record, NOW, packs(), packs())).toBeNull();
});
