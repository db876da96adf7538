import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** Responses whose client waits for leave to send its body. */
const waiting = new WeakSet<ServerResponse>();

/**
 * Lets clients that send `Expect: 100-continue` wait until their body is read, which is after their
 * credentials were checked. Node would request the body at once. A request that is answered without its body
 * ends its connection, because the client may still send the body.
 */
export function deferContinue(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    waiting.add(response);
    response.shouldKeepAlive = false;
    server.emit('request', request, response);
  });
}

/** Requests the body of a request that waits for `100 Continue`. */
export function continueBody(response: ServerResponse): void {
  if (!waiting.delete(response)) return;
  response.shouldKeepAlive = true;
  response.writeContinue();
}
