import { isUtf8 } from 'node:buffer';
import { type Request } from 'express';
import { faulty, problemOf } from './app-error.js';
import { type JsonObjectResult, type RawBody } from './request-body.js';

const FORM = /^\s*application\/x-www-form-urlencoded\b/i;

const LATIN_1 = 'It looks like Latin-1 (Windows-1252): send it as UTF-8';
const SENT_AS_FORM = 'Its Content-Type is that of a form: send JSON, with Content-Type: application/json';

/** Adds to the refusal of a body what usually is the cause, if the body or its headers show it. */
export function withHint(result: JsonObjectResult, request: Request, body: RawBody): JsonObjectResult {
  if (result.ok || body.kind !== 'bytes' || body.bytes.length === 0) return result;
  const hint = hintOf(body.bytes, request.headers['content-type'] ?? '');
  if (hint === null) return result;
  return { ...faulty([problemOf(`${result.message}. ${hint}`)]), code: result.code };
}

function hintOf(bytes: Buffer, contentType: string): string | null {
  // UTF-16 has a NUL in every ASCII character.
  if (!isUtf8(bytes)) return bytes.includes(0) ? null : LATIN_1;
  // `curl -d` sends JSON with the type of a form, too, and such a body is read.
  return FORM.test(contentType) && !bytes.toString('latin1').trimStart().startsWith('{')
    ? SENT_AS_FORM
    : null;
}
