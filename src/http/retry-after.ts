/** The pause before the next request to a server whose answer has no `Retry-After`. */
const DEFAULT_MS = 1_000;

/**
 * Reads a `Retry-After` header: seconds, or a date of HTTP.
 *
 * @param now in ms since 1970, which a date is compared with.
 * @returns milliseconds from 0.
 */
export function retryAfterMs(header: string | undefined, now: number = Date.now()): number {
  if (header === undefined) return DEFAULT_MS;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? DEFAULT_MS : Math.max(0, at - now);
}
