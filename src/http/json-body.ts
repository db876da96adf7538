import { isUtf8 } from 'node:buffer';
import { type Faulty, faulty, type Problem, problemOf } from './app-error.js';
import { pathAt, scanJson } from './json-scan.js';

/** The most containers that may enclose a value, the body's own object included. */
export const MAX_NESTING = 32;

/**
 * The most JSON values in one body: objects, arrays, strings, numbers and literals, at every depth; keys do
 * not count.
 */
export const MAX_VALUES = 30_000;

/**
 * `onValues` is called with the number of values of a body, before it is parsed. Its errors are thrown to the
 * caller.
 */
export interface JsonLimits {
  maxValues?: number;
  maxNesting?: number;
  onValues?: (count: number) => void;
}

const TOO_DEEP = `is nested more than ${MAX_NESTING} levels deep`;
const LOSSY = 'is a number that cannot be kept exactly; send it as a string';
/** The most faults that are looked for. */
const MAX_FAULTS = 20;
const LONE_SURROGATE = /\p{Surrogate}/u;
const BYTE_ORDER_MARK = '\uFEFF';
// A key is the sender's text: a message repeats it only if it is short and printable.
const SPOKEN_KEY = /^[\p{L}\p{N}_. -]{1,40}$/u;
const MAX_SPOKEN_PATH = 120;

/**
 * A request body that is safe to store, or why it is not; `field` is the top-level key that holds the first
 * fault.
 */
export type JsonBody = { ok: true; value: Record<string, unknown> } | (Required<Faulty> & { field?: string });

type Fault = Problem & { field?: string };

/** An object or array that is to be checked. `level` is 1 for the body's own object. */
type Visit = { container: object; level: number; key: string | number; parent: Visit | null };

/**
 * Reads a request body that must be one JSON object in UTF-8.
 *
 * Bytes that are not UTF-8, an empty body, text that is not JSON, and any other top level than an object are
 * refused. So are `__proto__` as a key, more than {@link MAX_NESTING} levels, and more values than
 * `maxValues`. NUL or a lone surrogate in a string or a key is refused, because Postgres does not store it.
 * Numbers that JavaScript cannot keep are refused, too ({@link isKept}). If a key is sent twice, only its
 * last value is used. The numbers of its earlier values are checked, too. Messages name fields, never values.
 * Throws only what `onValues` throws.
 */
export function parseJsonObject(
  bytes: Buffer,
  { maxValues = MAX_VALUES, maxNesting = MAX_NESTING, onValues }: JsonLimits = {},
): JsonBody {
  if (!isUtf8(bytes)) return refuse('The body is not valid UTF-8');
  let text = bytes.toString('utf8');
  if (text.startsWith(BYTE_ORDER_MARK)) text = text.slice(1);
  const { values, lossyAt } = scanJson(text, maxValues);
  if (values > maxValues) return refuse(`The body must have at most ${maxValues} JSON values`);
  onValues?.(values);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (text.trim() === '') return refuse('The body is empty; it must be a JSON object');
    // The engine's message would quote the text. A recursive parser fails with a RangeError.
    const tooDeep = error instanceof RangeError;
    return refuse(tooDeep ? `The body ${TOO_DEEP}` : 'The body is not valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse('The body must be a JSON object');
  }
  const root = value as Record<string, unknown>;
  if (lossyAt.length > 0) return refuseAll(lossyAt.map((at) => faultAt(pathAt(text, at), LOSSY)));
  // Valid UTF-8 has no lone surrogates, and JSON has no raw NUL, so only an escape can contain either.
  const faults = findFaults(root, text.includes('\\u'), maxNesting);
  return faults.length > 0 ? refuseAll(faults) : { ok: true, value: root };
}

/** Finds the first {@link MAX_FAULTS} faults. It does not recurse, because the sender chooses the depth. */
function findFaults(root: object, hasEscapes: boolean, maxNesting: number): Fault[] {
  const faults: Fault[] = [];
  const pending: Visit[] = [{ container: root, level: 1, key: '', parent: null }];
  for (let visit = pending.pop(); visit !== undefined; visit = pending.pop()) {
    if (faults.length >= MAX_FAULTS) return faults.slice(0, MAX_FAULTS);
    const { container, level } = visit;
    if (level > maxNesting) {
      faults.push(faultAt(pathTo(visit).slice(0, 1), TOO_DEEP));
      continue;
    }
    if (Array.isArray(container)) {
      for (let i = 0; i < container.length && faults.length < MAX_FAULTS; i++) {
        const predicate = faultOf(container[i], i, visit, pending, hasEscapes);
        if (predicate !== null) faults.push(faultAt([...pathTo(visit), i], predicate));
      }
      continue;
    }
    for (const key of Object.keys(container)) {
      const inKey = faultOfKey(key, hasEscapes);
      if (inKey !== null) {
        faults.push(faultAt(pathTo(visit), inKey));
        continue;
      }
      const value = (container as Record<string, unknown>)[key];
      const predicate = faultOf(value, key, visit, pending, hasEscapes);
      if (predicate !== null) faults.push(faultAt([...pathTo(visit), key], predicate));
      if (faults.length >= MAX_FAULTS) break;
    }
  }
  return faults;
}

function faultOfKey(key: string, hasEscapes: boolean): string | null {
  if (key === '__proto__') return 'has a key named __proto__, which is not allowed';
  return hasEscapes && !isStorable(key) ? 'has a key with a character that cannot be stored' : null;
}

/** Returns the fault of a text. A container is added to `pending` instead, and checked later. */
function faultOf(
  value: unknown,
  key: string | number,
  parent: Visit,
  pending: Visit[],
  hasEscapes: boolean,
): string | null {
  if (typeof value === 'string') {
    return hasEscapes && !isStorable(value) ? 'contains a character that cannot be stored' : null;
  }
  if (typeof value === 'object' && value !== null) {
    pending.push({ container: value, level: parent.level + 1, key, parent });
  }
  return null;
}

function pathTo(visit: Visit): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at = visit; at.parent !== null; at = at.parent) path.unshift(at.key);
  return path;
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && !LONE_SURROGATE.test(text);
}

const refuse = (message: string): JsonBody => faulty([problemOf(message)]);

function refuseAll(faults: Fault[]): JsonBody {
  const problems = faults.map(({ path, message }) => ({ path, message }));
  return { ...faulty(problems), field: faults[0]?.field };
}

function faultAt(path: (string | number)[], predicate: string): Fault {
  const [top] = path;
  if (top === undefined) return problemOf(`The body ${predicate}`);
  const field = String(top);
  const whole = path.join('.');
  const speakable = whole.length <= MAX_SPOKEN_PATH && path.every((key) => SPOKEN_KEY.test(String(key)));
  const subject = speakable ? whole : SPOKEN_KEY.test(field) ? field : null;
  return { ...problemOf(`${subject ?? 'A field'} ${predicate}`, subject ?? ''), field };
}
