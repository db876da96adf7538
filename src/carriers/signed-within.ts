import { createHmac } from 'node:crypto';
import { sameSecret } from '../http/same-secret.js';

/** How far a signature's time may be from now, in ms. Within it, a repeated report changes nothing. */
export const SIGNED_WITHIN_MS = 5 * 60_000;

/** Whether a report was signed recently, by the clock of this process. */
export function isRecent(signedAtMs: number, now: number = Date.now()): boolean {
  return Math.abs(now - signedAtMs) <= SIGNED_WITHIN_MS;
}

/** The HMAC-SHA256 of some parts in hexadecimal digits. */
export function hmacOf(key: string, ...parts: (string | Buffer)[]): string {
  const hmac = createHmac('sha256', key);
  for (const part of parts) hmac.update(part);
  return hmac.digest('hex');
}

/** Whether one of the keys makes this HMAC. The time of the comparison tells nothing of the HMAC. */
export function isMadeBy(keys: readonly string[], digest: string, ...parts: (string | Buffer)[]): boolean {
  return keys.map((key) => sameSecret(hmacOf(key, ...parts), digest.toLowerCase())).includes(true);
}
