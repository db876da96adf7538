import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/**
 * Responses whose client waits for `100 Continue` before it sends its body, and whether the client wants to keep the
 * connection.
 */
const waiting = new WeakMap<ServerResponse, boolean>();

/**
 * Delays `100 Continue` until the body is read, which is usually after the credentials were checked. By
 * default, Node would send it at once to a client that sends `Expect: 100-continue`. If a request is answered
 * without `100 Continue`, the answer closes the connection, because the client may still send the body.
 */
export function deferContinue(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    waiting.set(response, response.shouldKeepAlive);
    response.shouldKeepAlive = false;
    server.emit('request', request, response);
  });
}

/** Sends `100 Continue` if the client waits for it. */
export function continueBody(response: ServerResponse): void {
  const keepsAlive = waiting.get(response);
  if (keepsAlive === undefined) return;
  waiting.delete(response);
  response.shouldKeepAlive = keepsAlive;
  response.writeContinue();
}
