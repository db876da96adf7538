import { type RequestHandler } from 'express';

/**
 * Middleware for addresses with a malformed escape, such as `%E0%A4%A`. Express would refuse them before it knows
 * whose surface they are on: without asking for credentials, and in the wrong shape on the call endpoint. Here they are
 * taken as the text they are, which is no id of anything, and the route answers as it does to any other such id.
 */
export function readAddress(): RequestHandler {
  return (request, _response, next) => {
    const [path = ''] = request.url.split(/[?#]/, 1);
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
