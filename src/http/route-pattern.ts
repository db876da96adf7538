import { type Request } from 'express';

// Matches the base path of a mounted router. Any other base path may be a text that the client sent.
const PLAIN_PATH = /^[a-z/-]*$/;

const NAMES = new WeakMap<Request, string>();

/** Names the route of a request that a middleware answers, before Express has matched any route. */
export function nameRoute(request: Request, route: string): void {
  NAMES.set(request, route);
}

/** The pattern of the request's route. It is not the path that was sent, which may hold a phone number. */
export function routePatternOf(request: Request): string {
  const name = NAMES.get(request);
  if (name !== undefined) return name;
  const { path } = (request.route ?? {}) as { path?: unknown };
  const base = request.baseUrl.toLowerCase();
  return typeof path === 'string' && PLAIN_PATH.test(base) ? `${base}${path}` : 'unmatched';
}
