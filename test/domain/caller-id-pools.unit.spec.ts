import fc from 'fast-check';
import { pickFromPool } from '../../src/domain/caller-id.js';

describe('the numbers of a pool in one batch', () => {
  const POOL = ['+14155550001', '+14155550002', '+14155550003'];

  /** What so many claims of one batch pick, each from what the facts show of its pool. */
  function pickedBy(pools: readonly (readonly string[])[]): Map<string, number> {
    const picks = new Map<string, number>();
    for (const pool of pools) {
      const number = pickFromPool(pool, picks);
      if (number !== null) picks.set(number, (picks.get(number) ?? 0) + 1);
    }
    return picks;
  }

  test('13 claims over 3 numbers use 5, 4 and 4, the least recently used number most often', () => {
    const picks = pickedBy(Array.from({ length: 13 }, () => POOL));
    expect(POOL.map((number) => picks.get(number))).toEqual([5, 4, 4]);
  });

  test('one claim uses the least recently used number', () => {
    expect(pickFromPool(POOL, new Map())).toBe(POOL[0]);
  });

  test('a number that was used for another pool is used less here', () => {
    const [first = '', second = ''] = POOL;
    expect(pickFromPool(POOL, new Map([[first, 1]]))).toBe(second);
  });

  test('an empty pool has no number', () => {
    expect(pickFromPool([], new Map())).toBeNull();
  });

  test('the numbers are used evenly, in whatever order claims see unused ones', () => {
    const order = fc.shuffledSubarray(POOL, { minLength: 3 });
    fc.assert(
      fc.property(fc.array(order, { minLength: 1, maxLength: 40 }), (pools) => {
        const counts = POOL.map((number) => pickedBy(pools).get(number) ?? 0);
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
        expect(counts.reduce((sum, count) => sum + count)).toBe(pools.length);
      }),
      { seed: 20261120, numRuns: 500 },
    );
  });
});
