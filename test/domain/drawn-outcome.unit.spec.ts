import {
  type OutcomeChances,
  CHANCE_NAMES,
  drawOutcome,
  faultOfChances,
  murmur3,
} from '../../src/domain/drawn-outcome.js';

const chances: Partial<OutcomeChances> = { completed: 0.35, no_answer: 0.3, busy: 0.15, voicemail: 0.1 };

test.each([
  ['', 0],
  ['a', 0x3c2569b2],
  ['abc', 0xb3dd93fa],
  ['Hello, world!', 0xc0363e43],
  ['The quick brown fox jumps over the lazy dog', 0x2e4ff723],
])('MurmurHash3 of %j', (text, hash) => {
  expect(murmur3(text)).toBe(hash);
});

test('outcomes come as often as their chances say, whichever of the arguments counts on', () => {
  const number = (n: number) => `+1415${5550000 + n}`;
  for (const draw of [
    (n: number) => drawOutcome(chances, n, '+14155550100', 1),
    (n: number) => drawOutcome(chances, 7, number(n), 1),
    (n: number) => drawOutcome(chances, 7, '+14155550100', n),
  ]) {
    const drawn = Array.from({ length: 20_000 }, (_, n) => draw(n));
    for (const name of CHANCE_NAMES) {
      const share = drawn.filter((outcome) => outcome === name).length / drawn.length;
      expect(Math.abs(share - (chances[name] ?? 0))).toBeLessThan(0.015);
    }
  }
});

test('absent chances are 0, and nothing is left of chances that add up to 1', () => {
  const drawn = Array.from({ length: 5_000 }, (_, n) => drawOutcome({ busy: 0.5 }, 1, '+14155550100', n));
  expect([...new Set(drawn)].sort()).toEqual(['busy', 'failed']);
  const tenths = { completed: 0.1, no_answer: 0.2, busy: 0.3, voicemail: 0.4 };
  const all = Array.from({ length: 50_000 }, (_, n) => drawOutcome(tenths, 1, '+14155550100', n));
  expect(new Set(all)).toEqual(new Set(Object.keys(tenths)));
  expect(drawOutcome({ completed: 1 }, 1, '+14155550100', 1)).toBe('completed');
  expect(drawOutcome({}, 1, '+14155550100', 1)).toBe('failed');
});

test('faults', () => {
  expect(faultOfChances(chances)).toBeUndefined();
  expect(faultOfChances({ completed: 0.1, no_answer: 0.2, busy: 0.3, voicemail: 0.4 })).toBeUndefined();
  for (const wrong of [-0.1, 1.1, NaN, '0.5', true])
    expect(faultOfChances({ busy: wrong })).toMatchObject({ name: 'busy' });
  expect(faultOfChances({ busy: 0.6, completed: 0.5 })?.problem).toMatch(/at most 1; the rest is failed/);
});
