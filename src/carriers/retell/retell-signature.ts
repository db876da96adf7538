import { hmacOf, isMadeBy, isRecent } from '../signed-within.js';

/** `v=<ms since 1970>,d=<HMAC-SHA256 of the body and the time, in hexadecimal digits>`. */
const SIGNATURE = /^v=(\d{10,16}),d=([0-9a-f]{64})$/i;

/**
 * Whether Retell signed exactly these bytes, in the last five minutes.
 *
 * @param keys any of which may have signed.
 */
export function isSignedByRetell(
  keys: readonly string[],
  signature: string | undefined,
  body: Buffer,
  now: number = Date.now(),
): boolean {
  const [, time, digest] = SIGNATURE.exec(signature ?? '') ?? [];
  if (time === undefined || digest === undefined || !isRecent(Number(time), now)) return false;
  return isMadeBy(keys, digest, body, time);
}

/** The signature of a report, for a check of the deployment's own address. */
export function signRetell(key: string, body: string, now: number = Date.now()): string {
  return `v=${now},d=${hmacOf(key, body, String(now))}`;
}
