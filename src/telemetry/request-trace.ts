import { randomUUID } from 'node:crypto';
import { type Request } from 'express';
import { scrub } from './scrub.js';

/**
 * What a request's log line tells of it beyond the protocol. Handed on explicitly: an `AsyncLocalStorage` would make
 * every promise of the process dearer, some 20 µs a request.
 */
export interface RequestTrace {
  readonly requestId: string;
  /** Noted by whoever finds out. */
  teamId?: string;
}

export type TracedRequest = Request & { trace?: RequestTrace };

const MAX_REQUEST_ID = 128;
const PRINTABLE = /^[\x21-\x7e]+$/;

/**
 * The caller's own id where it can be taken, else a new one. Not taken: what is long or not printable, and what a log
 * line would not show as it is, such as a phone number or a key.
 */
export function requestIdFrom(header: string | string[] | undefined): string {
  if (typeof header === 'string' && header.length <= MAX_REQUEST_ID && PRINTABLE.test(header)) {
    if (scrub(header) === header) return header;
  }
  return randomUUID();
}

/** The trace of a request; one without its own, as where a test leaves the middleware out, gets one. */
export function traceOf(request: Request): RequestTrace {
  const traced = request as TracedRequest;
  return (traced.trace ??= { requestId: requestIdFrom(traced.headers['x-request-id']) });
}
