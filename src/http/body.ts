import { type Request } from 'express';
import { AppError } from './app-error.js';
import { readBody } from './body-reader.js';
import { refusalOf } from './parse-body.js';
import { readJsonObject } from './request-body.js';

const NO_BYTES = Buffer.alloc(0);

/**
 * The bytes of the request's body as they arrived.
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
 * The bytes of the request's body, to check a signature over them. For a body that was cut off, no bytes are
 * returned instead of an error. Such an error is reported only after the signature has been checked.
 *
 * @throws AppError `PAYLOAD_TOO_LARGE` or `UNSUPPORTED_ENCODING`, because the signature of such a body cannot
 *   be checked; `RATE_LIMITED`.
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
  if (!result.ok) throw new AppError(result.code, result.message, {}, result.problems);
  return result.value;
}
