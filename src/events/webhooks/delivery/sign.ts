import { createHmac } from 'node:crypto';
import { keyOf } from '../secret.js';

/**
 * The headers of Standard Webhooks (https://www.standardwebhooks.com): HMAC-SHA256 over id, timestamp and
 * body. Node computes the HMAC, because the library of Standard Webhooks hashes in JavaScript. That would
 * take longer than all other work of a delivery.
 *
 * @param secrets one secret (`whsec_…`) or, after a rotation, two; each signs.
 * @param now when the request is sent, by a clock that is right: receivers compare it with theirs.
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
