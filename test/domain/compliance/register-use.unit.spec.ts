import { type Pack, type RegisterScrubRule } from '../../../src/domain/compliance/pack.js';
import { registersOfPacks, useOfRegister } from '../../../src/domain/compliance/register-use.js';

const DAY = 86_400;

function scrub(register: string, maxAgeDays: number | null): RegisterScrubRule {
  return {
    kind: 'registerScrub',
    id: `scrub-${register}`,
    appliesTo: { purpose: ['marketing'], voice: ['ai'] },
    effectiveFrom: null,
    effectiveTo: null,
    unless: null,
    citation: 'a law',
    source: { url: 'https://example.com', readOn: '2026-11-28' },
    confidence: 'high',
    note: null,
    register,
    maxAgeDays,
  };
}

const packOf = (pack: string, ...rules: RegisterScrubRule[]): Pack => ({
  pack,
  jurisdiction: pack.toUpperCase(),
  name: pack,
  version: '0'.repeat(12),
  extends: [],
  rules,
});

const PACKS = [
  packOf('us', scrub('dnc', 31)),
  packOf('us-fl', scrub('dnc', 7)),
  packOf('be', scrub('list', null)),
  packOf('fr'),
];

test.each([
  [7 * DAY, []],
  [7 * DAY + 1, ['us-fl']],
  [31 * DAY, ['us-fl']],
  [31 * DAY + 1, ['us', 'us-fl']],
  [null, ['us', 'us-fl']],
])('a register of %s seconds is too old for %j', (ageSeconds, staleFor) => {
  expect(useOfRegister(PACKS, 'dnc', ageSeconds)).toEqual({ readBy: ['us', 'us-fl'], staleFor });
});

test('a register of any age is not too old for a rule without a limit, and one that is missing is', () => {
  expect(useOfRegister(PACKS, 'list', 9_999 * DAY)).toEqual({ readBy: ['be'], staleFor: [] });
  expect(useOfRegister(PACKS, 'list', null)).toEqual({ readBy: ['be'], staleFor: ['be'] });
});

test('a register that no rule reads is of no use', () => {
  expect(useOfRegister(PACKS, 'other', DAY)).toEqual({ readBy: [], staleFor: [] });
  expect(registersOfPacks(PACKS)).toEqual(['dnc', 'list']);
});
