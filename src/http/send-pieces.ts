import { once } from 'node:events';
import { type ServerResponse } from 'node:http';

/**
 * Sends a document whose length is not known in advance, as fast as the client reads it. If the client
 * leaves, or has left, sending ends.
 *
 * @param contentType by default JSON.
 * @throws what `pieces` throws; the answer has begun by then.
 */
export async function sendPieces(
  response: ServerResponse,
  pieces: AsyncIterable<string>,
  contentType = 'application/json; charset=utf-8',
): Promise<void> {
  response.statusCode = 200;
  // A proxy passes each piece on when it arrives (nginx, and others that know its header).
  response.setHeader('X-Accel-Buffering', 'no');
  response.setHeader('Content-Type', contentType);
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  for await (const piece of pieces) {
    if (response.destroyed) return;
    if (response.write(piece)) continue;
    await once(response, 'drain', { signal: gone.signal }).catch(() => undefined);
  }
  response.end();
}
