const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The pauses before the retries, in milliseconds. After the last retry a delivery has failed. */
export const RETRY_PAUSES_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
];

/**
 * A pause is longer than the table says by up to this share. So the retries after an outage do not come all
 * at once.
 */
const JITTER = 0.1;

/** The longest pause that a receiver can ask for, in milliseconds. */
export const LONGEST_RETRY_AFTER_MS = 24 * HOUR_MS;

/** For so long at most a receiver can hold all deliveries of its endpoint, in milliseconds. */
const LONGEST_HOLD_MS = HOUR_MS;

/** The statuses by which a receiver asks for fewer requests, or for none. */
const ASKS_FOR_PAUSE = new Set([429, 503]);

/**
 * How long to wait before the next attempt, in milliseconds; null: no further one.
 *
 * @param failures attempts that failed, the last one included.
 * @param retryAfterMs of the last answer: the attempt is not made earlier.
 * @param random from 0 to 1.
 */
export function pauseAfter(failures: number, retryAfterMs = 0, random = Math.random()): number | null {
  const pause = RETRY_PAUSES_MS[failures - 1];
  if (pause === undefined) return null;
  const jittered = pause * (1 + JITTER * random);
  return Math.round(Math.max(jittered, Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS)));
}

/**
 * For how long a receiver that answered so gets nothing at all, in milliseconds; null: it did not ask for
 * that.
 */
export function holdAfter(status: number, retryAfterMs: number | undefined): number | null {
  if (retryAfterMs === undefined || !ASKS_FOR_PAUSE.has(status)) return null;
  return Math.min(retryAfterMs, LONGEST_HOLD_MS);
}
