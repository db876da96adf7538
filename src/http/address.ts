import { type IncomingMessage, type Server } from 'node:http';
import { type RequestHandler } from 'express';

const HEX_CAPITAL = /[A-F]/;
const UUID_SEGMENT = /(?<=\/)[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?=\/|$)/gi;
const SCHEME_AND_HOST = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;

/**
 * Reduces request targets in absolute form (`GET http://host:99999/admin`, RFC 9112 §3.2.2) to their path.
 * The host is not used, and a malformed one must not fail. A listener of the server, because Express parses
 * the target before any middleware runs.
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
 * Middleware for addresses with a malformed escape, such as `%E0%A4%A`. Express would refuse them before it
 * has whose surface they are on: without asking for credentials, and in the wrong shape on the call endpoint.
 * Here they are taken as text, which is no id of anything. The route answers as it does to any other such id.
 *
 * UUIDs are written in lower case, as Postgres returns them: components that keep them as text know each by
 * one name.
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
