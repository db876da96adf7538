const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The pauses before the retries, in milliseconds. If the last retry fails, the delivery has failed. */
export const RETRY_PAUSES_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
];

/** Each pause is extended at random, by up to this share of it. So the retries after an outage are spread. */
const JITTER = 0.1;

/** The longest pause that a receiver can ask for, in milliseconds. */
export const LONGEST_RETRY_AFTER_MS = 24 * HOUR_MS;

/** The longest time for which a receiver can hold all deliveries of its endpoint, in milliseconds. */
const LONGEST_HOLD_MS = HOUR_MS;

/** The statuses by which a receiver asks for fewer requests, or for none. */
const ASKS_FOR_PAUSE = new Set([429, 503]);

/**
 * How long to wait before the next attempt, in milliseconds; null: there is no further attempt.
 *
 * @param failures how many attempts failed, the last attempt included.
 * @param retryAfterMs the pause that the last answer asked for. The wait is at least the shorter of this
 *   pause and {@link LONGEST_RETRY_AFTER_MS}.
 * @param random from 0 to 1.
 */
export function pauseAfter(failures: number, retryAfterMs = 0, random = Math.random()): number | null {
  const pause = RETRY_PAUSES_MS[failures - 1];
  if (pause === undefined) return null;
  const jittered = pause * (1 + JITTER * random);
  return Math.round(Math.max(jittered, Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS)));
}

/**
 * For how long the endpoint gets no deliveries after this answer, in milliseconds; null: the receiver did not
 * ask for a pause.
 */
export function holdAfter(status: number, retryAfterMs: number | undefined): number | null {
  if (retryAfterMs === undefined || !ASKS_FOR_PAUSE.has(status)) return null;
  return Math.min(retryAfterMs, LONGEST_HOLD_MS);
}
