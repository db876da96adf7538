import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** Responses whose client waits for `100 Continue` before it sends its body. */
const waiting = new WeakSet<ServerResponse>();

/**
 * A client that sends `Expect: 100-continue` waits until its body is read, which is usually after its
 * credentials were checked. By default, Node would request the body at once. If a request is answered before
 * its body was requested, the answer closes the connection, because the client may still send the body.
 */
export function deferContinue(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    waiting.add(response);
    response.shouldKeepAlive = false;
    server.emit('request', request, response);
  });
}

/** Sends `100 Continue` if the client waits for it. */
export function continueBody(response: ServerResponse): void {
  if (!waiting.delete(response)) return;
  response.shouldKeepAlive = true;
  response.writeContinue();
}
