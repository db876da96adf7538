import { type IncomingMessage } from 'node:http';
import { Readable, pipeline } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { AppError, invalid } from '../../http/app-error.js';
import { EXPANSION_FROM_BYTES, MAX_BYTES, MAX_EXPANSION } from '../limits.js';

/** The most bytes of an upload that are processed in one iteration of the event loop. */
const PIECE_BYTES = 4 * 1024;

/** The client ended the connection before the end of the body. */
export class UploadEndedError extends Error {
  override name = 'UploadEndedError';
}

/**
 * The body of a request as it arrives. The generator reads no faster than its pieces are used. Unlike the
 * request's own iterator, it leaves the connection open when it ends early, so that the request can be
 * answered.
 *
 * @throws UploadEndedError.
 */
export async function* piecesOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  for (;;) {
    const chunk = request.read() as Buffer | null;
    if (chunk !== null) {
      for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
        yield chunk.subarray(at, at + PIECE_BYTES);
        await setImmediate();
      }
    } else if (request.readableEnded) return;
    else if (request.destroyed) throw new UploadEndedError('The client ended the upload before its end');
    else await moreOf(request);
  }
}

function moreOf(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const events = ['readable', 'end', 'close'] as const;
    const done = () => {
      for (const event of events) request.off(event, done);
      resolve();
    };
    for (const event of events) request.on(event, done);
  });
}

/**
 * Decompresses what was sent with gzip, and bounds its size.
 *
 * @throws AppError `INVALID_REQUEST` for what is no gzip, `PAYLOAD_TOO_LARGE`.
 */
export async function* decompressed(
  pieces: AsyncIterable<Buffer>,
  isCompressed: boolean,
): AsyncGenerator<Buffer> {
  let [received, expanded] = [0, 0];
  const counted = counting(pieces, (bytes) => (received += bytes));
  for await (const piece of isCompressed ? gunzipped(counted) : counted) {
    expanded += piece.length;
    if (expanded > MAX_BYTES) {
      throw new AppError(
        'PAYLOAD_TOO_LARGE',
        `The body must be at most ${MAX_BYTES / 1024 / 1024} MB, decompressed`,
      );
    }
    if (expanded > EXPANSION_FROM_BYTES && expanded > received * MAX_EXPANSION) {
      throw new AppError(
        'PAYLOAD_TOO_LARGE',
        `The body expands to more than ${MAX_EXPANSION} times its size`,
      );
    }
    yield piece;
  }
}

async function* counting(
  pieces: AsyncIterable<Buffer>,
  count: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    count(piece.length);
    yield piece;
  }
}

async function* gunzipped(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: PIECE_BYTES });
  pipeline(Readable.from(pieces, { objectMode: true, highWaterMark: 1 }), gunzip, () => undefined);
  try {
    for await (const piece of gunzip) {
      yield piece as Buffer;
      await setImmediate();
    }
  } catch (error) {
    throw isGzipFault(error) ? invalid('The body is not valid gzip') : error;
  }
}

/**
 * The error is not recognized by its class, because tests have a realm of their own, in which Node's errors
 * have another class.
 */
function isGzipFault(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && code.startsWith('Z_');
}
