import { UUID } from '../../domain/uuid.js';
import { hmacOf, isMadeBy } from '../signed-within.js';

/** The header of Vapi's reports with the secret of the call. */
export const SECRET_HEADER = 'X-Outdial-Secret';

/** Vapi signs no report, so each call has a secret of its own: its id, and an HMAC that the API key makes. */
const SECRET = /^([0-9a-f-]{36})[.]([0-9a-f]{64})$/i;

const PURPOSE = 'outdial report of a call\n';

/** The secret with which Vapi reports about one call. */
export function secretOf(apiKey: string, callRequestId: string): string {
  const id = callRequestId.toLowerCase();
  return `${id}.${hmacOf(apiKey, PURPOSE, id)}`;
}

/**
 * The call request about which a secret allows reports; null: none of the keys made it.
 *
 * @param keys any of which may have made it.
 */
export function callOfSecret(keys: readonly string[], secret: string): string | null {
  const [, id = '', digest = ''] = SECRET.exec(secret) ?? [];
  const callRequestId = id.toLowerCase();
  return UUID.test(callRequestId) && isMadeBy(keys, digest, PURPOSE, callRequestId) ? callRequestId : null;
}
