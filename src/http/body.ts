import { raw, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { AppError } from './app-error.js';
import { parseJsonObject } from './json-body.js';

/** Larger bodies are 413; counted in bytes, after decompression. */
export const MAX_BODY_BYTES = 256 * 1024;

/** What came of reading a request's body, before anybody asked for it. */
export type RawBody =
  { kind: 'bytes'; bytes: Buffer } | { kind: 'too_large' } | { kind: 'unreadable'; message: string };

/** A request that went through {@link readBody}. */
export type RequestWithBody = Request & { rawBody?: RawBody };

/** A body as one JSON object, or why it is none. */
export type JsonObjectResult =
  | { ok: true; value: Record<string, unknown> }
  | { ok: false; code: 'PAYLOAD_TOO_LARGE' | 'INVALID_REQUEST'; message: string };

type Refused = Extract<JsonObjectResult, { ok: false }>;

const NO_BYTES = Buffer.alloc(0);

/**
 * Middleware that reads every body, whatever its content type, and keeps the outcome on the request. It never refuses
 * by itself: a missing key goes before a bad body, and only the controllers know about keys.
 */
export function readBody(): RequestHandler {
  const read = raw({ type: () => true, limit: MAX_BODY_BYTES });
  return (request: Request, response: Response, next: NextFunction) => {
    read(request, response, (error?: unknown) => {
      (request as RequestWithBody).rawBody = outcome(request, error);
      next();
    });
  };
}

/**
 * The request's body as it arrived, for what is signed.
 *
 * @throws AppError `PAYLOAD_TOO_LARGE` or `INVALID_REQUEST`.
 */
export function bytesOf(request: Request): Buffer {
  const body = (request as RequestWithBody).rawBody ?? { kind: 'bytes', bytes: NO_BYTES };
  if (body.kind === 'bytes') return body.bytes;
  const { code, message } = refusalOf(body);
  throw new AppError(code, message);
}

/** The request's body as an object, without throwing. A request without a body is invalid. */
export function readJsonObject(request: Request): JsonObjectResult {
  const body = (request as RequestWithBody).rawBody ?? { kind: 'bytes', bytes: NO_BYTES };
  if (body.kind !== 'bytes') return refusalOf(body);
  const parsed = parseJsonObject(body.bytes);
  return parsed.ok ? parsed : { ok: false, code: 'INVALID_REQUEST', message: parsed.message };
}

/**
 * The request's body as it was sent, for a signature over it. What could not be read is not an error here yet: nobody is
 * told so before it is known who asks.
 *
 * @throws AppError `PAYLOAD_TOO_LARGE`, because of such a body no signature can be judged.
 */
export function rawBytesOf(request: Request): Buffer {
  const body = (request as RequestWithBody).rawBody;
  if (body?.kind === 'too_large') jsonObjectOf(request);
  return body?.kind === 'bytes' ? body.bytes : NO_BYTES;
}

/**
 * The request's body as an object.
 *
 * @throws AppError `PAYLOAD_TOO_LARGE` or `INVALID_REQUEST`.
 */
export function jsonObjectOf(request: Request): Record<string, unknown> {
  const result = readJsonObject(request);
  if (!result.ok) throw new AppError(result.code, result.message);
  return result.value;
}

function refusalOf(body: Exclude<RawBody, { kind: 'bytes' }>): Refused {
  return body.kind === 'too_large'
    ? refused('PAYLOAD_TOO_LARGE', `The body must be at most ${MAX_BODY_BYTES / 1024} KB`)
    : refused('INVALID_REQUEST', body.message);
}

function refused(code: Refused['code'], message: string): Refused {
  return { ok: false, code, message };
}

function outcome(request: Request, error: unknown): RawBody {
  if (error === undefined || error === null) {
    const bytes: unknown = request.body;
    return { kind: 'bytes', bytes: Buffer.isBuffer(bytes) ? bytes : NO_BYTES };
  }
  const type = typeof error === 'object' && 'type' in error ? error.type : undefined;
  if (type === 'entity.too.large') return { kind: 'too_large' };
  const message =
    type === 'encoding.unsupported'
      ? 'The body has a content encoding that is not supported'
      : 'The body could not be read';
  return { kind: 'unreadable', message };
}
