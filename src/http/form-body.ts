import { isUtf8 } from 'node:buffer';
import { type Request } from 'express';
import { AppError, invalid } from './app-error.js';
import { bytesOf } from './body.js';
import { readBody } from './body-reader.js';

/** The most bytes of a form. A larger form is refused with 413. */
export const MAX_FORM_BYTES = 64 * 1024;
const MAX_FORM_FIELDS = 200;

/**
 * The fields of a form. A field that was sent several times has an array of its values. The object has no
 * prototype.
 */
export type FormFields = Record<string, string | string[]>;

/**
 * Reads the request's body as `application/x-www-form-urlencoded`.
 *
 * @throws AppError `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_ENCODING`, `RATE_LIMITED` or `INVALID_REQUEST`.
 */
export async function formOf(request: Request): Promise<FormFields> {
  const body = await readBody(request, MAX_FORM_BYTES);
  if (body.kind === 'too_large') {
    throw new AppError('PAYLOAD_TOO_LARGE', `The form must be at most ${MAX_FORM_BYTES / 1024} KB`);
  }
  const bytes = await bytesOf(request);
  if (!request.is('application/x-www-form-urlencoded') || !isUtf8(bytes)) {
    throw invalid('The body must be application/x-www-form-urlencoded in UTF-8');
  }
  const fields = Object.create(null) as FormFields;
  let count = 0;
  for (const [name, value] of new URLSearchParams(bytes.toString())) {
    count += 1;
    if (count > MAX_FORM_FIELDS) throw invalid(`The form must have at most ${MAX_FORM_FIELDS} fields`);
    const before = fields[name];
    if (before === undefined) fields[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else fields[name] = [before, value];
  }
  return fields;
}

/** The value of a field that was sent once; undefined if it was not sent, or sent several times. */
export function fieldOf(fields: FormFields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' ? value : undefined;
}
