import { hmacOf, isMadeBy, isRecent } from '../signed-within.js';

/** `t=<s since 1970>,v0=<HMAC-SHA256 of the time, a dot and the body, in hexadecimal digits>`, in any order. */
const TIME = /(?:^|,)\s*t=(\d{9,12})\s*(?:,|$)/;
const DIGESTS = /(?:^|,)\s*v0=([0-9a-f]{64})\s*(?=,|$)/gi;

/**
 * Whether ElevenLabs signed exactly these bytes, in the last five minutes.
 *
 * @param secrets any of which may have signed.
 */
export function isSignedByElevenLabs(
  secrets: readonly string[],
  signature: string | undefined,
  body: Buffer,
  now: number = Date.now(),
): boolean {
  const [, time] = TIME.exec(signature ?? '') ?? [];
  const digests = [...(signature ?? '').matchAll(DIGESTS)].map(([, digest = '']) => digest);
  if (time === undefined || !isRecent(Number(time) * 1_000, now)) return false;
  return digests.slice(0, 4).some((digest) => isMadeBy(secrets, digest, `${time}.`, body));
}

/** The signature of a report, for a check of the deployment's own address. */
export function signElevenLabs(secret: string, body: string, now: number = Date.now()): string {
  const time = String(Math.floor(now / 1_000));
  return `t=${time},v0=${hmacOf(secret, `${time}.`, body)}`;
}
