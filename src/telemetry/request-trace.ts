import { randomUUID } from 'node:crypto';
import { type Request } from 'express';

/**
 * What a request's log line contains besides the route, the status, the duration and the client address. It
 * is passed explicitly: an `AsyncLocalStorage` would slow down every promise of the process, by some 20 µs a
 * request.
 */
export interface RequestTrace {
  readonly requestId: string;
  /** Set once the team is known. */
  teamId?: string;
  /** Of a stream that stays open: when it began, by the monotonic clock. The log and the metrics count until then. */
  answeredAt?: number;
}

/** `trace` is set by the middleware of the log. */
export type TracedRequest = Request & { trace?: RequestTrace };

/**
 * The trace of a request. A request that did not pass the middleware of the log gets a trace with a new id.
 */
export function traceOf(request: Request): RequestTrace {
  return ((request as TracedRequest).trace ??= { requestId: randomUUID() });
}
