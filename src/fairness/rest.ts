/**
 * The longest rest, in milliseconds. Work that took longer also waited for other work, after which no rest is
 * needed.
 */
const MAX_REST_MS = 50;

/**
 * How long to rest after work, in milliseconds. Work that always rests for as long as it took leaves half of
 * the time to others.
 *
 * @param factor the length of the rest, as a multiple of the work.
 */
export function restMs(tookMs: number, factor = 1): number {
  return Math.min(factor * tookMs, MAX_REST_MS);
}
