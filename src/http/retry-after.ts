/** The pause before the next request to a server whose answer has no `Retry-After`. */
const DEFAULT_MS = 1_000;

/** The longest pause that is returned: more than a caller waits, and within the range of an integer column. */
const MAX_MS = 2_147_483_647;

/**
 * Reads a `Retry-After` header: seconds, or an HTTP date.
 *
 * @param now the current time in ms since 1970; a date is compared with it.
 * @returns milliseconds, from 0 to {@link MAX_MS}. A longer pause, however many digits it has, is shortened.
 */
export function retryAfterMs(header: string | undefined, now: number = Date.now()): number {
  if (header === undefined) return DEFAULT_MS;
  if (/^\d+$/.test(header.trim())) return Math.min(Number(header) * 1_000, MAX_MS);
  const at = Date.parse(header);
  return Number.isNaN(at) ? DEFAULT_MS : Math.min(Math.max(0, at - now), MAX_MS);
}
