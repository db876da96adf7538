/** The pause before the next request to a server whose answer has no `Retry-After`. */
const DEFAULT_MS = 1_000;

/**
 * Reads a `Retry-After` header: seconds, or an HTTP date.
 *
 * @param now the current time in ms since 1970; a date is compared with it.
 * @returns milliseconds, at least 0.
 */
export function retryAfterMs(header: string | undefined, now: number = Date.now()): number {
  if (header === undefined) return DEFAULT_MS;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? DEFAULT_MS : Math.max(0, at - now);
}
