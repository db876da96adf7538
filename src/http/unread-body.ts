import { Socket } from 'node:net';
import { type Request, type RequestHandler, type Response } from 'express';
import { networkOf } from './client-address.js';
import { MAX_BODY_BYTES } from './request-body.js';
import { FairIterations } from './fair-iterations.js';
import { freeMemory } from './free-memory.js';

/**
 * How much of an unread body is still read from the client, in bytes, and for how long after the answer, in
 * milliseconds.
 */
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_MS = 2_000;

/** The most chunks of up to 64 KB that are read and dropped in one iteration of the event loop. */
const CHUNKS_PER_ITERATION = 2;

/**
 * The connection of a body up to this size, in bytes, is kept. Such a body has usually arrived before its
 * answer is sent.
 */
const KEPT_BYTES = 64 * 1024;

/**
 * The most connections that wait for their clients to close them. Beyond this number, the oldest connection
 * of the same client address is cut.
 */
const MAX_LINGERING = 64;

const chunks = new FairIterations(CHUNKS_PER_ITERATION);
const lingering = new Set<Socket>();

/**
 * Middleware for requests that are answered before their body has arrived, such as requests with a wrong key.
 * Closing the connection at once would reset it, and the client might never see the answer.
 *
 * - The rest of a body of up to {@link KEPT_BYTES}, or without a declared length, is read and dropped. The
 *   connection is kept.
 * - A body of up to {@link MAX_BODY_BYTES} is left in the kernel's buffer, which has room for it. After the
 *   answer, the server ends its side of the connection, and cuts the connection {@link MAX_MS} later.
 *   Reading the body of a sender without a key would cost more than the answer.
 * - A larger body is read and dropped within bounds, because the client may read the answer only after it has
 *   sent the whole body.
 */
export function dropUnreadBodies(): RequestHandler {
  return (request, response, next) => {
    const isLeft = isLeftToKernel(request);
    if (isLeft) closeIfUnread(request, response);
    response.once('prefinish', () => {
      if (request.complete || request.destroyed) return;
      if (isLeft) linger(request, response);
      else drop(request, response);
    });
    next();
  };
}

function isLeftToKernel({ headers }: Request): boolean {
  const declared = Number(headers['content-length'] ?? 0);
  return declared > KEPT_BYTES && declared <= MAX_BODY_BYTES;
}

function closeIfUnread(request: Request, response: Response): void {
  const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => Response;
  response.writeHead = (...head: unknown[]) => {
    if (!request.complete) response.shouldKeepAlive = false;
    return writeHead(...head);
  };
}

function linger(request: Request, response: Response): void {
  const { socket } = request;
  leaveUnread(request);
  socket.destroySoon = () => socket.end();
  lingering.add(socket);
  let timer: NodeJS.Timeout | undefined;
  response.once('finish', () => (timer = cutLater(socket)));
  socket.once('close', () => {
    clearTimeout(timer);
    lingering.delete(socket);
  });
  if (lingering.size > MAX_LINGERING) oldestOf(socket.remoteAddress)?.destroy();
}

function oldestOf(address: string | undefined): Socket | undefined {
  for (const socket of lingering) if (socket.remoteAddress === address) return socket;
  return undefined;
}

function drop(request: Request, response: Response): void {
  const { socket } = request;
  let timer: NodeJS.Timeout | undefined;
  response.once('finish', () => (timer = cutLater(socket)));
  let dropped = 0;
  const dropChunk = () => {
    const chunk = request.read() as Buffer | null;
    dropped += chunk?.length ?? 0;
    if (chunk !== null) freeMemory(chunk);
    if (dropped > MAX_BYTES) socket.destroy();
  };
  request.on('readable', () => chunks.add(networkOf(socket.remoteAddress ?? ''), dropChunk));
  startReading(request);

  // Node calls `destroySoon` to close a connection directly after the answer.
  let closing = false;
  socket.destroySoon = () => {
    closing = true;
    socket.end();
  };
  const done = () => {
    clearTimeout(timer);
    closeAsOthers(socket);
    // The connection is closed after the answer has been sent to its end.
    if (closing) socket.destroySoon();
  };
  request.once('end', done).once('close', done);
}

/**
 * Leaves the body in the kernel's buffer. Node would read and drop a body that no code has begun to read, so
 * the body is marked as begun.
 */
function leaveUnread(request: Request): void {
  const stream = request as Request & { _consuming: boolean };
  stream._consuming = true;
  stream._read = () => undefined;
  // The part of the body that arrived with the head.
  const chunk = request.read() as Buffer | null;
  if (chunk !== null) freeMemory(chunk);
}

/** Marks the body as begun, like {@link leaveUnread}, and lets Node read the rest of it. */
function startReading(request: Request): void {
  request.read(0);
}

/**
 * Restores `destroySoon`. The property is not deleted, because V8 would then keep the socket's properties in
 * a slower dictionary.
 */
function closeAsOthers(socket: Socket): void {
  socket.destroySoon = () => Socket.prototype.destroySoon.call(socket);
}

/** Cuts the connection later, so that a slow client can read its answer first. */
function cutLater(socket: Socket): NodeJS.Timeout {
  return setTimeout(() => socket.destroy(), MAX_MS).unref();
}
