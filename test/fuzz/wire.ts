import { connect } from 'node:net';
import { type WireAnswer } from '../openapi/conformance.js';

/** What came of a request: an answer, a connection that was closed without one, or silence. */
export type Outcome =
  { kind: 'answer'; answer: WireAnswer; ms: number } | { kind: 'closed' } | { kind: 'silent' };

const PATIENCE_MS = 90_000;

/**
 * Sends exactly these bytes over a connection of their own and reads the first answer.
 *
 * @param hangUp ends our side after the bytes, for requests that promise more than they send.
 */
export function exchange(port: number, bytes: Buffer, hangUp: boolean): Promise<Outcome> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const chunks: Buffer[] = [];
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const done = (outcome: Outcome) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(outcome);
    };
    const finish = () => {
      const answer = parseAnswer(Buffer.concat(chunks));
      done(answer ? { kind: 'answer', answer, ms: performance.now() - startedAt } : { kind: 'closed' });
    };
    const timer = setTimeout(() => done({ kind: 'silent' }), PATIENCE_MS);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      const text = Buffer.concat(chunks);
      // A connection that was told to close is awaited; on others the whole answer is enough.
      if (parseAnswer(text)?.complete) finish();
    });
    // A server that refuses early may reset while we still write; what it said before that counts.
    socket.on('error', finish).on('end', finish).on('close', finish);
    socket.write(bytes, () => {
      if (hangUp) socket.end();
    });
  });
}

type Parsed = WireAnswer & { complete: boolean };

function parseAnswer(bytes: Buffer): Parsed | null {
  const text = bytes.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1]);
  const rest = bytes.subarray(end + 4);
  if (status >= 100 && status < 200) return parseAnswer(rest);
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  if (headers['transfer-encoding'] === 'chunked') {
    const { body, complete } = unchunked(rest);
    return { status, headers, text: body.toString(), complete };
  }
  const length = headers['content-length'];
  return {
    status,
    headers,
    text: rest.toString(),
    // HEAD has a length, and no body: such answers end with the connection.
    complete: length !== undefined && rest.length >= Number(length),
  };
}

function unchunked(bytes: Buffer): { body: Buffer; complete: boolean } {
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return { body: Buffer.concat(parts), complete: false };
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    if (size === 0) return { body: Buffer.concat(parts), complete: true };
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}
