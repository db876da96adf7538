import { Socket } from 'node:net';
import { type Request, type RequestHandler, type Response } from 'express';

/**
 * How much of an unread body is still read from the client, in bytes, and for how long after the answer, in
 * milliseconds.
 */
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_MS = 2_000;

/**
 * Middleware for requests that are answered before their body has arrived, such as requests with a wrong key.
 * Closing the connection at once would reset it, and the client might never see the answer. So the rest of the
 * body is read and dropped, within bounds.
 */
export function dropUnreadBodies(): RequestHandler {
  return (request, response, next) => {
    response.once('prefinish', () => {
      if (!request.complete && !request.destroyed) drop(request, response);
    });
    next();
  };
}

function drop(request: Request, response: Response): void {
  const { socket } = request;
  let timer: NodeJS.Timeout | undefined;
  // After the complete answer, so that a slow client can read it.
  response.once('finish', () => (timer = setTimeout(() => socket.destroy(), MAX_MS).unref()));
  let dropped = 0;
  request.on('data', (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > MAX_BYTES) socket.destroy();
  });
  request.resume();

  // Node calls `destroySoon` to close a connection directly after the answer. Until the body has ended, only
  // this side of the connection is closed.
  let closing = false;
  socket.destroySoon = () => {
    closing = true;
    socket.end();
  };
  const done = () => {
    clearTimeout(timer);
    socket.destroySoon = () => Socket.prototype.destroySoon.call(socket);
    if (closing) socket.destroySoon();
  };
  request.once('end', done).once('close', done);
}
