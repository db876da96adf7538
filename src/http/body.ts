import { type Request } from 'express';
import { AppError } from './app-error.js';
import { readBody } from './body-reader.js';
import { refusalOf } from './parse-body.js';
import { readJsonObject } from './request-body.js';

const NO_BYTES = Buffer.alloc(0);

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
 * The request's body as it was sent, for a signature over it. A body that was cut off is not an error yet: no
 * error is reported before its sender is known.
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
