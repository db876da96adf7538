import { type Request } from 'express';
import { AppError, invalid } from '../http/app-error.js';
import { bytesOf } from '../http/body.js';
import { readBody } from '../http/body-reader.js';
import { jsonIn } from './answer-json.js';

/** The most bytes of a report with a transcript. A larger report is refused with 413. */
export const MAX_REPORT_BYTES = 2 * 1024 * 1024;

export const REPORT_TOO_LARGE = `The report must be at most ${MAX_REPORT_BYTES / 1024 / 1024} MB`;

/**
 * The bytes of a report as they arrived, over which its signature is verified.
 *
 * @throws AppError `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_ENCODING`, `INVALID_REQUEST` or `RATE_LIMITED`.
 */
export async function reportBytesOf(request: Request): Promise<Buffer> {
  const body = await readBody(request, MAX_REPORT_BYTES);
  if (body.kind === 'too_large') throw new AppError('PAYLOAD_TOO_LARGE', REPORT_TOO_LARGE);
  return bytesOf(request);
}

/** The report as an object. Only for bytes whose signature is verified. @throws AppError `INVALID_REQUEST`. */
export function reportIn(bytes: Buffer): Record<string, unknown> {
  const value = jsonIn(bytes.toString('utf8'));
  if (!isRecord(value)) throw invalid('The body must be a JSON object');
  return value;
}

/** Whether a value of JSON is an object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object at a key; `{}` if there is none. */
export function recordAt(fields: Record<string, unknown>, key: string): Record<string, unknown> {
  const value = fields[key];
  return isRecord(value) ? value : {};
}

/** The text at a key; null if there is none. */
export function textAt(fields: Record<string, unknown>, key: string): string | null {
  const value = fields[key];
  return typeof value === 'string' ? value : null;
}

/** The number at a key; null if there is none. */
export function numberAt(fields: Record<string, unknown>, key: string): number | null {
  const value = fields[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** The last instant that is believed, in ms since 1970: the end of year 9999. */
const LAST_INSTANT = Date.UTC(9999, 11, 31);

/** The instant of a number of ms since 1970; null for a number that is none. */
export function instantOfMs(ms: number | null): Date | null {
  return ms !== null && ms > 0 && ms < LAST_INSTANT ? new Date(Math.floor(ms)) : null;
}

/** The instant of a date-time in ISO 8601; null for a text that is none. */
export function instantOfText(text: string | null): Date | null {
  return text === null ? null : instantOfMs(Date.parse(text));
}
