import { isUtf8 } from 'node:buffer';

/** Containers that may enclose a value, the body's own object included (design: nesting over 32 is refused). */
export const MAX_NESTING = 32;

const TOO_DEEP = `is nested more than ${MAX_NESTING} levels deep`;
const LONE_SURROGATE = /\p{Surrogate}/u;
const BYTE_ORDER_MARK = '\uFEFF';
// Keys are the sender's text too: only a short, printable one is repeated in a message.
const SPOKEN_KEY = /^[\p{L}\p{N}_. -]{1,40}$/u;
const MAX_SPOKEN_PATH = 120;

/** A request body that is safe to store, or why it is not; `field` is the top-level key that holds the fault. */
export type JsonBody =
  { ok: true; value: Record<string, unknown> } | { ok: false; message: string; field?: string };

type Path = readonly string[];
type Container = unknown[] | Record<string, unknown>;
type Pending = { container: Container; path: Path };

/**
 * Reads a request body that must be one JSON object in UTF-8.
 *
 * Refused, by the design's "Known and unknown keys": bytes that are not UTF-8, an empty body, text that is not JSON,
 * any other top level than an object, `__proto__` as a key, more than {@link MAX_NESTING} levels, NUL or a lone
 * surrogate in a string or a key (Postgres stores neither), and numbers too large to be finite. Of a key sent twice
 * the last value counts, and the earlier one is not judged. Messages name fields, never values. Does not throw.
 */
export function parseJsonObject(bytes: Buffer): JsonBody {
  if (!isUtf8(bytes)) return { ok: false, message: 'The body is not valid UTF-8' };
  let text = bytes.toString('utf8');
  if (text.startsWith(BYTE_ORDER_MARK)) text = text.slice(1);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (text.trim() === '') return { ok: false, message: 'The body is empty; it must be a JSON object' };
    // The engine's own message quotes the text, and a parser that recurses gives up with a RangeError.
    const tooDeep = error instanceof RangeError;
    return { ok: false, message: tooDeep ? `The body ${TOO_DEEP}` : 'The body is not valid JSON' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, message: 'The body must be a JSON object' };
  }
  const root = value as Record<string, unknown>;
  // Valid UTF-8 has no lone surrogates, and JSON allows no raw NUL: only an escape can bring either.
  const fault = findFault(root, text.includes('\\u'));
  return fault ?? { ok: true, value: root };
}

/** Walks without recursion, because the depth is the sender's choice. */
function findFault(
  root: Record<string, unknown>,
  hasEscapes: boolean,
): Extract<JsonBody, { ok: false }> | null {
  const pending: Pending[] = [{ container: root, path: [] }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { container, path } = next;
    const keys = Object.keys(container);
    const isArray = Array.isArray(container);
    for (const key of keys) {
      if (!isArray) {
        if (key === '__proto__') return refuse(path, 'has a key named __proto__, which is not allowed');
        if (hasEscapes && !isStorable(key))
          return refuse(path, 'has a key with a character that cannot be stored');
      }
      const value = (container as Record<string, unknown>)[key];
      if (typeof value === 'string') {
        if (hasEscapes && !isStorable(value)) {
          return refuse([...path, key], 'contains a character that cannot be stored');
        }
      } else if (typeof value === 'number') {
        if (!Number.isFinite(value)) return refuse([...path, key], 'is a number that is too large');
      } else if (typeof value === 'object' && value !== null) {
        // The container's own level is path.length + 1; its child's is one more.
        if (path.length + 2 > MAX_NESTING) return refuse([...path, key].slice(0, 1), TOO_DEEP);
        pending.push({ container: value as Container, path: [...path, key] });
      }
    }
  }
  return null;
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && !LONE_SURROGATE.test(text);
}

function refuse(path: Path, predicate: string): Extract<JsonBody, { ok: false }> {
  const field = path[0];
  const spoken = path.every((key) => SPOKEN_KEY.test(key)) ? path.join('.') : '';
  if (field === undefined) return { ok: false, message: `The body ${predicate}` };
  if (spoken !== '' && spoken.length <= MAX_SPOKEN_PATH)
    return { ok: false, message: `${spoken} ${predicate}`, field };
  return { ok: false, message: `${SPOKEN_KEY.test(field) ? field : 'A field'} ${predicate}`, field };
}
