import { type IncomingMessage, type Server } from 'node:http';
import { type RequestHandler } from 'express';

const HEX_CAPITAL = /[A-F]/;
const UUID_SEGMENT = /(?<=\/)(?<!\/by-external-id\/)[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?=\/|$)/gi;
const SCHEME_AND_HOST = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;

/**
 * Reduces request targets in absolute form (`GET http://host:99999/admin`, RFC 9112 §3.2.2) to their path.
 * The host is not used, so a malformed host must not cause an error. The function adds a listener to the
 * server, because Express parses the target before any middleware runs.
 */
export function readTargets(server: Server): void {
  server.prependListener('request', (request: IncomingMessage) => {
    const { url = '/' } = request;
    if (url.startsWith('/')) return;
    const path = url.replace(SCHEME_AND_HOST, '');
    request.url = path.startsWith('/') ? path : `/${path}`;
  });
}

/**
 * Middleware for paths with a malformed escape, such as `%E0%A4%A`. Express would refuse such a path before
 * it has found the route. Credentials would not be checked, and the call endpoint's answer would have the
 * wrong shape. This middleware escapes every `%` of the path again. The path then contains plain text in
 * place of an id, and the route answers as it does to any other invalid id.
 *
 * UUIDs in the path are changed to lower case, as Postgres returns them. Components that keep UUIDs as text
 * then have one spelling of each. An external id that looks like a UUID is a text, and stays as it is.
 */
export function readAddress(): RequestHandler {
  return (request, _response, next) => {
    const [path = ''] = request.url.split(/[?#]/, 1);
    if (HEX_CAPITAL.test(path)) {
      request.url = path.replace(UUID_SEGMENT, (id) => id.toLowerCase()) + request.url.slice(path.length);
    }
    if (path.includes('%') && !canBeDecoded(path)) {
      request.url = path.replaceAll('%', '%25') + request.url.slice(path.length);
    }
    next();
  };
}

function canBeDecoded(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
