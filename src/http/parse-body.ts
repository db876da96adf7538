import { parseJsonObject } from './json-body.js';
import {
  type BodyFault,
  type JsonObjectResult,
  LARGE_BODY_BYTES,
  MAX_BODY_BYTES,
  type RawBody,
} from './request-body.js';
import { RestingQueue } from './resting-queue.js';

type Refused = Extract<JsonObjectResult, { ok: false }>;

const largeBodies = new RestingQueue();

/**
 * What a value of a body occupies at most once it is parsed, besides its text: an empty object and its
 * reference.
 */
const BYTES_OF_VALUE = 64;

/**
 * @param sender whose large bodies are parsed round-robin with those of others.
 * @param take counts the bytes that the parsed body will occupy; throws if the request has ended.
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
    // Throws if the client has left meanwhile.
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
