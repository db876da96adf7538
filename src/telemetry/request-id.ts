import { randomUUID } from 'node:crypto';
import { scrub } from './scrub.js';

const MAX_REQUEST_ID = 128;
const PRINTABLE = /^[\x21-\x7e]+$/;

/**
 * The id that the client sent, or a new id if that id cannot be used. An id that is long, or has spaces,
 * unprintable characters or characters outside ASCII, is not used. Neither is an id that {@link scrub} would
 * mask in a log line, such as a phone number or a key.
 */
export function requestIdFrom(header: string | string[] | undefined): string {
  if (typeof header === 'string' && header.length <= MAX_REQUEST_ID && PRINTABLE.test(header)) {
    if (scrub(header) === header) return header;
  }
  return randomUUID();
}
