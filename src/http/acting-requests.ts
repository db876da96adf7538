import { type RequestHandler } from 'express';
import { withActor } from '../database/actor.js';

/**
 * The contract's traffic, which is not in the audit log: calls, contacts and enrollments tell what became of it. A
 * path in another spelling is not recognized, and only costs more.
 */
const CONTRACT_TRAFFIC =
  /^\/api\/(?:voice-agents\/[^/?]*\/calls(?:\/explain)?|contacts|campaigns\/contact-enrollments|campaigns\/enrollments)\/?(?:\?|$)/;

/** What a team's key only reads, except exports. */
const KEY_READS = /^\/api\/(?!admin\/)(?!.*\/(?:export|failed-rows|results))/;

/** Whether a request may have a row in the audit log. */
export function mayBeAudited(method: string, url: string): boolean {
  if (method === 'POST') return !CONTRACT_TRAFFIC.test(url);
  return (method !== 'GET' && method !== 'HEAD') || !KEY_READS.test(url);
}

/** Lets guards name the actor of each request that may have a row in the audit log. */
export function actingRequests(): RequestHandler {
  return (request, _response, next) => {
    if (mayBeAudited(request.method, request.url)) withActor(next);
    else next();
  };
}
