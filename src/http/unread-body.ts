import { Socket } from 'node:net';
import { type Request, type RequestHandler, type Response } from 'express';
import { networkOf } from './client-address.js';
import { MAX_BODY_BYTES } from './request-body.js';
import { FairIterations } from './fair-iterations.js';
import { freeMemory } from './free-memory.js';

/**
 * How much of an unread body is still taken from the client, in bytes, and for how long after its answer, in
 * milliseconds.
 */
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_MS = 2_000;

/** Chunks of 64 KB that are dropped in one iteration of the event loop. */
const CHUNKS_PER_ITERATION = 2;

/** A smaller body has mostly arrived before its answer leaves: its connection is kept. In bytes. */
const KEPT_BYTES = 64 * 1024;

/**
 * Connections at most that wait for their client to close them. Beyond that, the oldest one of the same
 * client is cut.
 */
const MAX_LINGERING = 64;

const chunks = new FairIterations(CHUNKS_PER_ITERATION);
const lingering = new Set<Socket>();

/**
 * Middleware for requests that are answered before their body has arrived, as those with a wrong key are.
 * Closing the connection at once would reset it, and the client might never see the answer.
 *
 * - Up to {@link KEPT_BYTES} the rest of the body is read and dropped, and the connection is kept.
 * - Up to {@link MAX_BODY_BYTES} it is left in the kernel's buffer, which has room for it. The answer closes
 *   the connection, which is cut {@link MAX_MS} later. Reading the body of a sender without a key would cost
 *   more than the answer.
 * - A larger body is read and dropped within bounds, because the client may read its answer only after it has
 *   sent all.
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

  // Node calls this to close a connection directly after the answer.
  let closing = false;
  socket.destroySoon = () => {
    closing = true;
    socket.end();
  };
  const done = () => {
    clearTimeout(timer);
    closeAsOthers(socket);
    // After the answer has been sent to its end.
    if (closing) socket.destroySoon();
  };
  request.once('end', done).once('close', done);
}

/** Node reads and drops a body that no code has begun to read. This marks the body as begun. */
function leaveUnread(request: Request): void {
  const stream = request as Request & { _consuming: boolean };
  stream._consuming = true;
  stream._read = () => undefined;
  // What arrived with the head.
  const chunk = request.read() as Buffer | null;
  if (chunk !== null) freeMemory(chunk);
}

/** The same, and the rest of the body is read. */
function startReading(request: Request): void {
  request.read(0);
}

/** Not by deleting the property: V8 would make a dictionary of the socket. */
function closeAsOthers(socket: Socket): void {
  socket.destroySoon = () => Socket.prototype.destroySoon.call(socket);
}

/** A slow client first reads its answer. */
function cutLater(socket: Socket): NodeJS.Timeout {
  return setTimeout(() => socket.destroy(), MAX_MS).unref();
}
