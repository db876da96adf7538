import { createHash, timingSafeEqual } from 'node:crypto';
import { bearerToken } from '../http/bearer-token.js';

/**
 * Whether a request may read the metrics, by its `Authorization` header. Digests are compared, so that neither
 * content nor length leaks in time.
 *
 * @param expected unset: everybody may.
 */
export function mayReadMetrics(expected: string | undefined, authorization: string | undefined): boolean {
  if (expected === undefined) return true;
  const token = bearerToken(authorization);
  return token !== null && timingSafeEqual(digest(token), digest(expected));
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
