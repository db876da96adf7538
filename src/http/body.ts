import { type Request } from 'express';
import { AppError } from './app-error.js';
import { bearerToken } from './bearer-token.js';
import { MAX_BODY_BYTES, type RawBody, readBody, takeForBody } from './body-reader.js';
import { FairTurns } from './fair-turns.js';
import { type JsonLimits, parseJsonObject } from './json-body.js';

/** A body as one JSON object, or why it is none. */
export type JsonObjectResult =
  { ok: true; value: Record<string, unknown> } | { ok: false; code: BodyFault; message: string };

type BodyFault = 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_ENCODING' | 'INVALID_REQUEST';
type Refused = Extract<JsonObjectResult, { ok: false }>;

const NO_BYTES = Buffer.alloc(0);

/** Parsing a body beyond this takes milliseconds. */
const LARGE_BODY_BYTES = 16 * 1024;

/** One large body is parsed in a turn of the event loop; the sockets are read in between. */
const largeBodies = new FairTurns(1);

/** What a value of a body occupies at most once it is parsed, besides its text: an empty object and its place. */
const BYTES_OF_VALUE = 64;

/**
 * The request's body as it arrived, for what is signed.
 *
 * @throws AppError `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_ENCODING`, `INVALID_REQUEST` or `RATE_LIMITED`.
 */
export async function bytesOf(request: Request): Promise<Buffer> {
  const body = await readBody(request);
  if (body.kind === 'bytes') return body.bytes;
  const { code, message } = refusalOf(body);
  throw new AppError(code, message);
}

/**
 * The request's body as an object, or why it is none. A request without a body is invalid.
 *
 * @throws AppError `RATE_LIMITED`.
 */
export async function readJsonObject(request: Request, limits: JsonLimits = {}): Promise<JsonObjectResult> {
  const body = await readBody(request);
  if (body.kind !== 'bytes') return refusalOf(body);
  if (body.bytes.length > LARGE_BODY_BYTES) await largeBodyTurn(request);
  const parsed = parseJsonObject(body.bytes, {
    ...limits,
    onValues: (count) => takeForBody(request, count * BYTES_OF_VALUE),
  });
  return parsed.ok ? parsed : { ok: false, code: 'INVALID_REQUEST', message: parsed.message };
}

/**
 * The request's body as it was sent, for a signature over it. A body that was cut off is not an error yet: nothing is said
 * about it before its sender is known.
 *
 * @throws AppError `PAYLOAD_TOO_LARGE` or `UNSUPPORTED_ENCODING`, because of such a body no signature can be judged; `RATE_LIMITED`.
 */
export async function rawBytesOf(request: Request): Promise<Buffer> {
  const body = await readBody(request);
  if (body.kind === 'too_large' || body.kind === 'encoded') return bytesOf(request);
  return body.kind === 'bytes' ? body.bytes : NO_BYTES;
}

/**
 * The request's body as an object.
 *
 * @throws AppError `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_ENCODING`, `INVALID_REQUEST` or `RATE_LIMITED`.
 */
export async function jsonObjectOf(request: Request): Promise<Record<string, unknown>> {
  const result = await readJsonObject(request);
  if (!result.ok) throw new AppError(result.code, result.message);
  return result.value;
}

function refusalOf(body: Exclude<RawBody, { kind: 'bytes' }>): Refused {
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

function largeBodyTurn({ headers, ip }: Request): Promise<void> {
  return new Promise((resolve) => largeBodies.add(bearerToken(headers.authorization) ?? ip ?? '', resolve));
}
