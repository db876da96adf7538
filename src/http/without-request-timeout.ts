import { type IncomingMessage, type Server } from 'node:http';
import { type Socket } from 'node:net';

/**
 * A socket of `node:http` has the property `server`. The server's `clientError` listeners handle a timeout.
 */
interface SocketOfServer extends Socket {
  server: Server;
}

/**
 * Exempts one request from the server's `requestTimeout`, for a body that may take long. Node has no setting
 * for a single request. The server reports a timeout once, by the event `clientError`, and closes the
 * connection if no listener handles the event. Until the request has ended, this function handles the event.
 * The server's `timeout` still closes a connection on which nothing is sent.
 */
export function withoutRequestTimeout(request: IncomingMessage): void {
  const socket = request.socket as SocketOfServer;
  const { server } = socket;
  const emit = (event: string, ...about: unknown[]): boolean => {
    const [error] = about as [NodeJS.ErrnoException?];
    if (event === 'clientError' && error?.code === 'ERR_HTTP_REQUEST_TIMEOUT') return true;
    return server.emit(event, ...about);
  };
  socket.server = Object.create(server, { emit: { value: emit } }) as Server;
  request.once('close', () => (socket.server = server));
}
