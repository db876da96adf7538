import { pairedRatio, studentQuantile } from '../../tools/bench/statistics.js';

/** Deterministic noise around 0, roughly normal. */
function noise(seed: number): () => number {
  let state = seed;
  const uniform = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  return () => Array.from({ length: 12 }, uniform).reduce((sum, value) => sum + value, -6);
}

describe('the ratio of two builds', () => {
  it('is exact if all pairs are equal', () => {
    const { ratio, low, high } = pairedRatio([2, 4, 8], [1, 2, 4]);
    expect([ratio, low, high]).toEqual([2, 2, 2].map((value) => expect.closeTo(value, 10) as number));
  });

  it('has the interval of Student’s table for three pairs', () => {
    // Logarithms -0.1, 0, 0.1: mean 0, standard deviation 0.1, 4.303 × 0.1 ÷ √3.
    const { ratio, low, high } = pairedRatio(
      [-0.1, 0, 0.1].map((log) => 100 * Math.exp(log)),
      [100, 100, 100],
    );
    expect(ratio).toBeCloseTo(1, 10);
    expect(Math.log(high)).toBeCloseTo(0.24843, 4);
    expect(Math.log(low)).toBeCloseTo(-0.24843, 4);
  });

  it('does not depend on a delay of both builds of a pair', () => {
    const speeds = [100, 10, 1, 50];
    const { ratio, low, high } = pairedRatio(
      speeds.map((speed) => speed * 1.1),
      speeds,
    );
    expect([ratio, low, high]).toEqual([1.1, 1.1, 1.1].map((value) => expect.closeTo(value, 10) as number));
  });

  it('contains the true ratio in 95 of 100 comparisons', () => {
    const next = noise(7);
    const measure = (value: number) => value * Math.exp(0.1 * next());
    const runs = Array.from({ length: 2_000 }, () => {
      const pairs = Array.from({ length: 8 }, () => [measure(105), measure(100)] as const);
      const { low, high } = pairedRatio(
        pairs.map(([of]) => of),
        pairs.map(([, to]) => to),
      );
      return low <= 1.05 && 1.05 <= high;
    });
    const held = runs.filter(Boolean).length / runs.length;
    expect(held).toBeGreaterThan(0.935);
    expect(held).toBeLessThan(0.965);
  });

  it('has no interval for one pair, and ignores failed measurements', () => {
    const { ratio, low, high } = pairedRatio([3], [2]);
    expect(ratio).toBeCloseTo(1.5, 10);
    expect([low, high]).toEqual([NaN, NaN]);
    expect(pairedRatio([3, NaN, 3], [2, 2, 2]).ratio).toBeCloseTo(1.5, 10);
  });

  it('continues beyond the table without a jump', () => {
    expect(studentQuantile(1)).toBe(12.706);
    expect(studentQuantile(30) - studentQuantile(31)).toBeGreaterThan(0);
    expect(studentQuantile(31)).toBeCloseTo(2.04, 2);
    expect(studentQuantile(60)).toBeCloseTo(2, 2);
  });
});
