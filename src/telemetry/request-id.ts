import { randomUUID } from 'node:crypto';
import { scrub } from './scrub.js';

const MAX_REQUEST_ID = 128;
const PRINTABLE = /^[\x21-\x7e]+$/;

/**
 * The caller's own id where it can be taken, else a new one. An id that is long or not printable is not
 * taken. Neither is one that a log line would not show as it is, such as a phone number or a key.
 */
export function requestIdFrom(header: string | string[] | undefined): string {
  if (typeof header === 'string' && header.length <= MAX_REQUEST_ID && PRINTABLE.test(header)) {
    if (scrub(header) === header) return header;
  }
  return randomUUID();
}
