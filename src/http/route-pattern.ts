import { type Request } from 'express';

// A mounted router's own path; anything else could be what a caller sent.
const PLAIN_PATH = /^[a-z/-]*$/;

/** The pattern of the route that took the request, never its address: that may hold a phone number. */
export function routePatternOf(request: Request): string {
  const { path } = (request.route ?? {}) as { path?: unknown };
  const base = request.baseUrl.toLowerCase();
  return typeof path === 'string' && PLAIN_PATH.test(base) ? `${base}${path}` : 'unmatched';
}
