import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Whether two secrets are the same. Digests are compared, so that the time of the comparison reveals neither
 * content nor length.
 */
export function sameSecret(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
