/**
 * A ratio and the interval that holds it with 95 % confidence; NaN bounds where there are fewer than two
 * pairs.
 */
export interface Interval {
  ratio: number;
  low: number;
  high: number;
}

/**
 * How many times `of` is `to`, of paired measurements: the geometric mean of each pair's ratio, and Student's
 * interval around it. Pairs, because a shared machine is slower in one minute than in another; logarithms,
 * because twice and half are equally far from one.
 */
export function pairedRatio(of: number[], to: number[]): Interval {
  const logs = of.map((value, pair) => Math.log(value / (to[pair] ?? NaN))).filter(Number.isFinite);
  const n = logs.length;
  const mean = logs.reduce((sum, log) => sum + log, 0) / n;
  if (n < 2) return { ratio: Math.exp(mean), low: NaN, high: NaN };
  const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / (n - 1);
  const margin = studentQuantile(n - 1) * Math.sqrt(variance / n);
  return { ratio: Math.exp(mean), low: Math.exp(mean - margin), high: Math.exp(mean + margin) };
}

/** The 97.5 % quantiles of Student's distribution with 1, 2, … degrees of freedom. */
const QUANTILES = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131,
  2.12, 2.11, 2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
];
const NORMAL_QUANTILE = 1.96;

/**
 * Beyond the table by the first term of its expansion around the normal distribution's; within 0.001 there.
 */
export function studentQuantile(degrees: number): number {
  const z = NORMAL_QUANTILE;
  return QUANTILES[degrees - 1] ?? z + (z ** 3 + z) / (4 * degrees);
}
