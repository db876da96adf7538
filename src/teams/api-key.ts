import { hash, randomBytes } from 'node:crypto';

/** The beginning of every key, by which a leaked key can be recognised in a log or a repository. */
export const API_KEY_PREFIX = 'od_live_';

const SECRET_BYTES = 32;
// 62 ** 43 > 2 ** 256. Only letters and digits, so that a double click selects the whole key.
const SECRET_LENGTH = 43;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SHOWN_OF_SECRET = 4;

/** A new random key of 256 bits, and its first characters, by which people recognise it. */
export function generateApiKey(): { key: string; prefix: string } {
  let rest = BigInt(`0x${randomBytes(SECRET_BYTES).toString('hex')}`);
  let secret = '';
  while (secret.length < SECRET_LENGTH) {
    secret = (ALPHABET[Number(rest % 62n)] as string) + secret;
    rest /= 62n;
  }
  const key = API_KEY_PREFIX + secret;
  return { key, prefix: key.slice(0, API_KEY_PREFIX.length + SHOWN_OF_SECRET) };
}

/**
 * SHA-256 of a key, 32 bytes: the only form that is stored. Keys are random, so a slow hash would add no
 * security.
 */
export function hashApiKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}
