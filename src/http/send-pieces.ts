import { once } from 'node:events';
import { type ServerResponse } from 'node:http';

/**
 * Sends a JSON document whose length is not known before, as fast as the client takes it. A client that leaves, or has left, ends it.
 *
 * @throws what `pieces` throws; the answer has begun by then.
 */
export async function sendPieces(response: ServerResponse, pieces: AsyncIterable<string>): Promise<void> {
  response.statusCode = 200;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  for await (const piece of pieces) {
    if (response.destroyed) return;
    if (response.write(piece)) continue;
    await once(response, 'drain', { signal: gone.signal }).catch(() => undefined);
  }
  response.end();
}
