import { createHmac } from 'node:crypto';
import { keyOf } from '../secret.js';

/**
 * The headers of Standard Webhooks (https://www.standardwebhooks.com): HMAC-SHA256 over id, time and body. By
 * Node's own HMAC, because the library computes its hash in JavaScript, which takes longer than all the rest
 * of a delivery.
 *
 * @param secrets `whsec_…`; after a rotation two, of which both sign.
 * @param now when the request is sent, by the clock of this process: receivers compare it with theirs.
 */
export function signedHeaders(id: string, body: string, secrets: readonly string[], now: Date) {
  const seconds = String(Math.floor(now.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', keyOf(secret)).update(`${id}.${seconds}.`).update(body);
    return `v1,${hmac.digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': signatures.join(' '),
  };
}
