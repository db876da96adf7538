import fc from 'fast-check';
import { PURPOSES } from '../../src/domain/compliance/pack.js';
import { forbids, type LimitedEntry, scopeOfEntries } from '../../src/domain/limited-entry.js';
import { NOW } from './support/facts.js';

const IDS = ['one', 'other'];
const id = fc.option(fc.constantFrom(...IDS), { nil: null });
const purpose = fc.option(fc.constantFrom(...PURPOSES), { nil: null });
const instant = fc.integer({ min: NOW.getTime() - 10, max: NOW.getTime() + 10 });

const entries: fc.Arbitrary<LimitedEntry> = fc.record({
  scope: fc.constantFrom('team', 'campaign', 'agent'),
  campaignId: id,
  agentId: id,
  purpose,
  from: instant,
  until: fc.option(instant, { nil: null }),
});
const calls = fc.record({ agentId: id, campaignId: id, purpose, byPurpose: fc.boolean() });

const entry = (fields: Partial<LimitedEntry>): LimitedEntry => ({
  scope: 'team',
  campaignId: null,
  agentId: null,
  purpose: null,
  from: NOW.getTime(),
  until: null,
  ...fields,
});
const CALL = { agentId: 'one', campaignId: null, byPurpose: false };

test('an entry holds from its first instant until before its last', () => {
  const at = (ms: number) => new Date(NOW.getTime() + ms);
  const limited = entry({ until: NOW.getTime() + 5 });
  expect([-1, 0, 4, 5].map((ms) => forbids(limited, CALL, at(ms)))).toEqual([false, true, true, false]);
});

test('an entry for a campaign or an agent forbids only its calls', () => {
  const ofAgent = entry({ scope: 'agent', agentId: 'one' });
  const ofCampaign = entry({ scope: 'campaign', campaignId: 'one' });
  expect(forbids(ofAgent, CALL, NOW)).toBe(true);
  expect(forbids(ofAgent, { ...CALL, agentId: 'other' }, NOW)).toBe(false);
  expect(forbids(ofCampaign, CALL, NOW)).toBe(false);
  expect(forbids(ofCampaign, { ...CALL, campaignId: 'one' }, NOW)).toBe(true);
});

test('the purpose of an entry counts only if the team honours purposes and that of the call is known', () => {
  const debt = entry({ purpose: 'debt' });
  const survey = { ...CALL, purpose: 'survey' } as const;
  expect(forbids(debt, survey, NOW)).toBe(true);
  expect(forbids(debt, { ...survey, byPurpose: true }, NOW)).toBe(false);
  expect(forbids(debt, { ...CALL, byPurpose: true }, NOW)).toBe(true);
  expect(forbids(debt, { ...CALL, purpose: 'debt', byPurpose: true }, NOW)).toBe(true);
});

test('a further entry never allows a call, and no purpose or a team without purposes forbids more', () => {
  fc.assert(
    fc.property(fc.array(entries), entries, calls, (some, further, call) => {
      const before = scopeOfEntries(some, call, NOW);
      const after = scopeOfEntries([...some, further], call, NOW);
      expect(before === null || after !== null).toBe(true);
      if (forbids(further, call, NOW)) {
        expect(forbids({ ...further, purpose: null }, call, NOW)).toBe(true);
        expect(forbids(further, { ...call, byPurpose: false }, NOW)).toBe(true);
      }
    }),
  );
});
