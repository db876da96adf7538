import { isDeepStrictEqual } from 'node:util';

// A property makes thousands of comparisons, each of which costs Jest more than the rule that is compared. So
// Jest is asked only where two values differ, for its message.

/** The same as `expect(actual).toBe(expected)`. */
export function expectSame(actual: unknown, expected: unknown): void {
  if (!Object.is(actual, expected)) expect(actual).toBe(expected);
}

/** The same as `expect(actual).toBeGreaterThan(least)`. */
export function expectMore(actual: number, least: number): void {
  if (!(actual > least)) expect(actual).toBeGreaterThan(least);
}

/** The same as `expect(actual).toStrictEqual(expected)`, for values without matchers. */
export function expectIdentical(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toStrictEqual(expected);
}

/** The same as `expect(actual).toEqual(expected)`, for values without matchers. */
export function expectEqual(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
}
