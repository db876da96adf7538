import { parseJsonObject } from './json-body.js';
import {
  type BodyFault,
  type JsonObjectResult,
  LARGE_BODY_BYTES,
  MAX_BODY_BYTES,
  type RawBody,
} from './request-body.js';
import { RestingQueue } from '../fairness/resting-queue.js';

type Refused = Extract<JsonObjectResult, { ok: false }>;

const largeBodies = new RestingQueue();

/**
 * The most bytes that a parsed value occupies besides its text: those of an empty object and of its
 * reference.
 */
const BYTES_OF_VALUE = 64;

/**
 * Parses a body as a JSON object. Large bodies are parsed one at a time, round-robin by sender, with rests.
 *
 * @param sender the sender of the request.
 * @param take counts the bytes that the parsed body will occupy; throws if the body was ended.
 * @throws what `take` throws.
 */
export async function parseBody(
  sender: string,
  body: RawBody,
  maxValues: number | undefined,
  take: (bytes: number) => void,
): Promise<JsonObjectResult> {
  if (body.kind !== 'bytes') return refusalOf(body);
  if (body.bytes.length > LARGE_BODY_BYTES) {
    await largeBodyMayStart(sender);
    // Throws if the client left while the body waited.
    take(0);
  }
  const onValues = (count: number) => take(count * BYTES_OF_VALUE);
  const parsed = parseJsonObject(body.bytes, { maxValues, onValues });
  return parsed.ok ? parsed : { ...parsed, code: 'INVALID_REQUEST' };
}

/** Why a body was not read. */
export function refusalOf(body: Exclude<RawBody, { kind: 'bytes' }>): Refused {
  switch (body.kind) {
    case 'too_large':
      return refused('PAYLOAD_TOO_LARGE', `The body must be at most ${MAX_BODY_BYTES / 1024} KB`);
    case 'encoded':
      return refused('UNSUPPORTED_ENCODING', 'The body must have no Content-Encoding');
    case 'unreadable':
      return refused('INVALID_REQUEST', body.message);
  }
}

function refused(code: BodyFault, message: string): Refused {
  return { ok: false, code, message };
}

function largeBodyMayStart(sender: string): Promise<void> {
  return new Promise((resolve) => largeBodies.add(sender, resolve));
}
