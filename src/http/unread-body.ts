import { type Socket } from 'node:net';
import { type Request, type RequestHandler, type Response } from 'express';
import { FairTurns } from './fair-turns.js';

/** How much of an unread body is still taken from the client, in bytes, and for how long after its answer, in milliseconds. */
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_MS = 2_000;

/** Chunks of 64 KB that are dropped in one turn of the event loop. */
const CHUNKS_PER_TURN = 2;

const chunks = new FairTurns(CHUNKS_PER_TURN);

/**
 * Middleware for requests that are answered before their body has arrived, as those with a wrong key are. Closing the
 * connection at once would reset it, and the client might never see the answer. The rest of the body is read and dropped, within bounds;
 * beyond them the connection is cut.
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
  // A slow client first reads its answer.
  response.once('finish', () => (timer = setTimeout(() => socket.destroy(), MAX_MS).unref()));
  let dropped = 0;
  const dropChunk = () => {
    const chunk = request.read() as Buffer | null;
    dropped += chunk?.length ?? 0;
    if (dropped > MAX_BYTES) socket.destroy();
  };
  request.on('readable', () => chunks.add(socket.remoteAddress ?? '', dropChunk));
  // Of a body that nothing has begun to read, Node would drop any amount.
  request.read(0);

  // Node closes a connection by this, right behind the answer.
  let closing = false;
  socket.destroySoon = () => {
    closing = true;
    socket.end();
  };
  const done = () => {
    clearTimeout(timer);
    delete (socket as Partial<Socket>).destroySoon;
    // After the answer has been sent to its end.
    if (closing) socket.destroySoon();
  };
  request.once('end', done).once('close', done);
}
