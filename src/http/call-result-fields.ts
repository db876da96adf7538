import { DISPOSITION } from '../domain/campaigns/definition/parse-step.js';
import { type Faulty, faulty, problemOf } from './app-error.js';
import {
  ANY_OBJECT_SCHEMA,
  described,
  FLAG_SCHEMA,
  INSTANT_SCHEMA,
  type JsonSchema,
  nullable,
} from './json-schema.js';
import { jsonBytes, MAX_JSON_BYTES } from './validators.js';

/** What was found out in a conversation, as it was reported. */
export interface ReportedResult {
  disposition: string | null;
  /** The instant at which the contact wants to be called again; an instant of the last day means at once. */
  callbackAt: Date | null;
  /** Whether the contact asks not to be called any more. */
  optOut: boolean;
  data: Record<string, unknown> | null;
}

/** The `optOut` of a malformed result is carried out nevertheless. */
export type ReadResult = { ok: true; value: ReportedResult } | (Required<Faulty> & { optOut: boolean });

export const RESULT_KEYS = ['disposition', 'callbackAt', 'optOut', 'data'];

/** The last millisecond of year 9999, because instants are written with four digits of the year. */
const END_OF_YEARS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const INSTANT = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * Reads the fields of a result from an object that may have further fields. Null counts as not sent. The
 * message names every field at fault.
 */
export function readResult(fields: Record<string, unknown>): ReadResult {
  const { disposition, callbackAt, optOut, data } = sentOf(fields);
  const faults: string[] = [];
  const isDisposition = typeof disposition === 'string' && DISPOSITION.test(disposition);
  if (disposition !== undefined && !isDisposition)
    faults.push('disposition must be a text of 1 to 80 characters');
  const at = callbackAt === undefined ? null : instantOf(callbackAt);
  if (at === undefined)
    faults.push('callbackAt must be a date-time with an offset, such as 2027-03-28T09:00:00+02:00');
  if (optOut !== undefined && typeof optOut !== 'boolean') faults.push('optOut must be true or false');
  if (data !== undefined && !isObject(data)) faults.push('data must be an object');
  else if (data !== undefined && jsonBytes(data) > MAX_JSON_BYTES)
    faults.push(`data must be at most ${MAX_JSON_BYTES} bytes of JSON`);
  if (faults.length > 0)
    return { ...faulty(faults.map((fault) => problemOf(fault))), optOut: optOut === true };
  return {
    ok: true,
    value: {
      disposition: isDisposition ? disposition : null,
      callbackAt: at ?? null,
      optOut: optOut === true,
      data: isObject(data) ? data : null,
    },
  };
}

/** Reads a result from a body that must have no further fields. */
export function readResultBody(fields: Record<string, unknown>): ReadResult {
  const read = readResult(fields);
  const others = Object.keys(fields).filter((key) => !RESULT_KEYS.includes(key));
  if (others.length === 0) return read;
  const optOut = read.ok ? read.value.optOut : read.optOut;
  const problem = problemOf(`A result has ${RESULT_KEYS.join(', ')} and nothing else`);
  return { ...faulty([problem]), optOut };
}

/**
 * Whether an object that may have further fields has a field of a result. Null and `optOut: false` do not
 * count.
 */
export function saysResult(fields: Record<string, unknown>): boolean {
  const { disposition, callbackAt, optOut, data } = sentOf(fields);
  return (
    disposition !== undefined || callbackAt !== undefined || data !== undefined || (optOut ?? false) !== false
  );
}

function sentOf(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    RESULT_KEYS.filter((key) => Object.hasOwn(fields, key) && fields[key] !== null).map((key) => [
      key,
      fields[key],
    ]),
  );
}

/** Reads a date-time with its offset. @returns undefined for any other value. */
export function instantOf(value: unknown): Date | undefined {
  const match = typeof value === 'string' ? INSTANT.exec(value) : null;
  if (match === null) return undefined;
  const [year, month, day] = match.slice(1).map(Number);
  // `Date.UTC` continues in the next month if the month does not have the day.
  const date = new Date(Date.UTC(year!, month! - 1, day));
  if (date.getUTCMonth() !== month! - 1 || date.getUTCDate() !== day) return undefined;
  const at = Date.parse(match[0]);
  // An offset can lead into a year with five digits.
  return Number.isNaN(at) || at > END_OF_YEARS ? undefined : new Date(Math.max(0, at));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const OFFSET_INSTANT: JsonSchema = {
  type: 'string',
  format: 'date-time',
  pattern: INSTANT.source,
  examples: ['2027-03-28T09:00:00+02:00'],
};

/** The fields that {@link readResult} reads. */
export const RESULT_PROPERTIES: Record<string, JsonSchema> = {
  disposition: described(
    nullable({ type: 'string', minLength: 1, maxLength: 80 }),
    'What the conversation led to, as a text of your own. The routes of a campaign’s step refer to it.',
  ),
  callbackAt: described(
    nullable(OFFSET_INSTANT),
    'The instant for which the contact asked for another call, at most a year ahead. An instant of the last 24 hours means at once. An earlier ' +
      'instant is refused.',
  ),
  optOut: described(
    nullable(FLAG_SCHEMA),
    '`true` adds the number to the Do Not Call list, even if the result is refused.',
  ),
  data: described(nullable(ANY_OBJECT_SCHEMA), 'An object of your own, at most 64 KB of JSON.'),
};

/** A result as a body of its own. */
export const RESULT_SCHEMA: JsonSchema = {
  title: 'CallResultReport',
  type: 'object',
  properties: RESULT_PROPERTIES,
  additionalProperties: false,
};

/** A result as the readers of its call see it; instants are ISO 8601 in UTC. */
export interface CallResultView {
  disposition: string | null;
  callbackAt: string | null;
  optOut: boolean;
  data: Record<string, unknown> | null;
  recordedAt: string;
}

export const RESULT_VIEW_SCHEMA: JsonSchema = {
  title: 'CallResult',
  type: 'object',
  properties: {
    disposition: nullable({ type: 'string' }),
    callbackAt: nullable(INSTANT_SCHEMA),
    optOut: FLAG_SCHEMA,
    data: nullable(ANY_OBJECT_SCHEMA),
    recordedAt: INSTANT_SCHEMA,
  },
  required: ['disposition', 'callbackAt', 'optOut', 'data', 'recordedAt'],
};
