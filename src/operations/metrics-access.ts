import { bearerToken } from '../http/bearer-token.js';
import { sameSecret } from '../http/same-secret.js';

/**
 * Whether a request may read the metrics, by its `Authorization` header.
 *
 * @param expected the token; unset: the metrics are open.
 */
export function mayReadMetrics(expected: string | undefined, authorization: string | undefined): boolean {
  if (expected === undefined) return true;
  const token = bearerToken(authorization);
  return token !== null && sameSecret(token, expected);
}
