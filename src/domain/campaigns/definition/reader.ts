import { type Parsed } from '../../calling-hours.js';
import { type Duration, MAX_DURATION_DAYS, parseDuration } from '../duration.js';

/** Ends the reading of a document at its first fault; {@link parsedBy} turns the fault into a result. */
class Fault extends Error {}

export type Fields = Record<string, unknown>;

/** Runs a reader; the message of a refusal begins with the path of what is wrong. */
export function parsedBy<T>(read: () => T): Parsed<T> {
  try {
    return { ok: true, value: read() };
  } catch (error) {
    if (error instanceof Fault) return { ok: false, message: error.message };
    throw error;
  }
}

/** @param path empty for the document itself. */
export function fault(path: string, problem: string): never {
  throw new Fault(path === '' ? problem : `${path} ${problem}`);
}

/** The path of a key of the object at `path`, which is empty for the document itself. */
export function at(path: string, key: string): string {
  // Keys come from outside and may be of any length.
  const shown = /^\w{1,40}$/.test(key) ? key : JSON.stringify(key.slice(0, 40));
  return path === '' ? shown : `${path}.${shown}`;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads an object that may have only the known keys. Keys with the value null are left out. */
export function readFields(value: unknown, path: string, known: readonly string[]): Fields {
  if (!isFields(value)) return fault(path, 'must be an object');
  for (const key of Object.keys(value)) {
    if (!known.includes(key)) fault(at(path, key), `is not known here; known are ${known.join(', ')}`);
  }
  return Object.fromEntries(Object.entries(value).filter(([, sent]) => sent !== null));
}

/** Reads a list: `read` is called for each item with its path. An absent list is empty. */
export function readList<T>(
  value: unknown,
  path: string,
  max: number,
  read: (item: unknown, path: string) => T,
): T[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return fault(path, 'must be an array');
  if (value.length > max) return fault(path, `must have at most ${max} items`);
  return value.map((item: unknown, index) => read(item, `${path}[${index}]`));
}

export function readInteger(value: unknown, path: string, min: number, max: number): number {
  if (Number.isInteger(value) && (value as number) >= min && (value as number) <= max) return value as number;
  return fault(path, `must be a whole number from ${min} to ${max}`);
}

export function readText(value: unknown, path: string, pattern: RegExp, described: string): string {
  return typeof value === 'string' && pattern.test(value) ? value : fault(path, `must be ${described}`);
}

export function readOneOf<T extends string>(value: unknown, path: string, values: readonly T[]): T {
  const found = values.find((known) => known === value);
  return found ?? fault(path, `must be one of ${values.join(', ')}`);
}

export function readDuration(value: unknown, path: string): Duration {
  const duration = typeof value === 'string' ? parseDuration(value) : undefined;
  return (
    duration ??
    fault(
      path,
      `must be an ISO 8601 duration of W, D, H, M and S, such as P1DT12H, at most P${MAX_DURATION_DAYS}D`,
    )
  );
}

/** The value that `read` returns, or null for an absent value. */
export function readOptional<T>(
  value: unknown,
  path: string,
  read: (value: unknown, path: string) => T,
): T | null {
  return value === undefined ? null : read(value, path);
}

/** The value that another parser returned. The message of that parser names the path. */
export function taken<T>(parsed: Parsed<T>): T {
  if (parsed.ok) return parsed.value;
  throw new Fault(parsed.message);
}
