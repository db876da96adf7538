import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** Responses whose client waits for leave to send its body. */
const waiting = new WeakSet<ServerResponse>();

/**
 * Lets clients that send `Expect: 100-continue` wait until their body is asked for, which is after their credentials
 * have been judged. Node would ask for the body at once. A request that is answered without it ends its connection:
 * whether the client sends the body then is not known.
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
