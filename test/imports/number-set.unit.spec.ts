import { NumberSet } from '../../src/imports/upload/number-set.js';

test('a number is new once, however many there are', () => {
  const numbers = new NumberSet();
  const texts = Array.from({ length: 20_000 }, (_, n) => [
    `+1415${2_000_000 + n}`,
    // The longest numbers, and numbers that differ in their first digits only.
    `+${999_999_999_900_000 + n}`,
    `+${4_000 + n}0000000`,
  ]).flat();
  expect(texts.filter((text) => numbers.add(text))).toHaveLength(new Set(texts).size);
  expect(texts.filter((text) => numbers.add(text))).toEqual([]);
});
