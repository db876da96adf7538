import { type Request } from 'express';
import { invalid, type Problem, problemOf } from './app-error.js';

export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 200;

/** One page of a list; `nextCursor` is null on the last page. */
export interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

/**
 * The requested page: at most `limit` rows after the row with the key `after`; null: from the first row.
 * `filters` are those that were sent.
 */
export interface PageRequest<Filter extends string = never> {
  limit: number;
  after: string[] | null;
  filters: Partial<Record<Filter, string>>;
  /** Faults of the other parameters, if the code that reads the filters refuses all faults at once. */
  problems?: readonly Problem[];
}

/** `refusedByFilters`: the code that reads the filters also refuses the faults of the other parameters. */
export interface PageOptions {
  refusedByFilters?: boolean;
}

/**
 * The page that a list's query string requests: `limit` (1 to 200), `cursor` (of the page before), and the
 * known filters.
 *
 * @throws AppError `INVALID_REQUEST` naming what is malformed, unknown or sent twice.
 */
export function parsePageRequest(
  query: Request['query'],
  known: readonly string[],
  { refusedByFilters = false }: PageOptions = {},
): PageRequest<string> {
  const sent: Record<string, string> = {};
  const problems: Problem[] = [];
  for (const [name, value] of Object.entries(query)) {
    if (name !== 'limit' && name !== 'cursor' && !known.includes(name)) {
      const isSpoken = /^\w{1,40}$/.test(name);
      const message = `${isSpoken ? name : 'A query parameter'} is not a parameter of this list`;
      problems.push(problemOf(message, isSpoken ? name : ''));
    } else if (typeof value !== 'string') problems.push(problemOf(`${name} must be sent once`, name));
    else sent[name] = value;
  }
  const { limit: limitText, cursor, ...filters } = sent;
  const limit = limitText === undefined ? DEFAULT_LIMIT : limitOf(limitText);
  if (limit === null) problems.push(problemOf(`limit must be a whole number from 1 to ${MAX_LIMIT}`));
  const after = cursor === undefined ? null : keyOfCursor(cursor);
  if (after === undefined) problems.push(problemOf(MALFORMED_CURSOR));
  if (problems.length > 0 && !refusedByFilters) throw invalid(...problems);
  return { limit: limit ?? DEFAULT_LIMIT, after: after ?? null, filters, problems };
}

/** Makes a page of `rows`. If there is a next page, `rows` has one row more than the limit. */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  request: { limit: number },
  keyOf: (row: Row) => string[],
  itemOf: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, request.limit);
  const last = shown.at(-1);
  const nextCursor = rows.length > shown.length && last !== undefined ? encodeCursor(keyOf(last)) : null;
  return { items: shown.map(itemOf), nextCursor };
}

/**
 * The instant in a cursor, as `toISOString` wrote it; null for another text, or a year that Postgres cannot
 * store.
 */
export function cursorInstant(text: string | undefined): Date | null {
  if (text === undefined || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)) return null;
  const instant = new Date(text);
  // `Date` accepts a day that its month does not have, and Postgres has no year 0000.
  const isDay = !Number.isNaN(instant.getTime()) && instant.toISOString() === text;
  return isDay && !text.startsWith('0000') ? instant : null;
}

/** The instant in a cursor with microseconds, as Postgres keeps it; null as for {@link cursorInstant}. */
export function exactCursorInstant(text: string | undefined): string | null {
  if (text === undefined || !/\.\d{6}Z$/.test(text)) return null;
  return cursorInstant(`${text.slice(0, -4)}Z`) === null ? null : text;
}

const MALFORMED_CURSOR = 'cursor must be the nextCursor of a page of this list';

/** The error with which a list refuses a cursor of another list. */
export const malformedCursor = () => invalid(MALFORMED_CURSOR);

function limitOf(text: string): number | null {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return limit >= 1 && limit <= MAX_LIMIT ? limit : null;
}

/** The id in the cursor of a list that is paged by a `bigint`; null: the first page. @throws AppError `INVALID_REQUEST`. */
export function idCursorOf({ after }: Pick<PageRequest<string>, 'after'>): string | null {
  if (after === null) return null;
  const [id = ''] = after;
  if (after.length !== 1 || !/^\d{1,18}$/.test(id)) throw malformedCursor();
  return id;
}

/** The `nextCursor` after the row with a key. */
export function encodeCursor(key: string[]): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

/** The key in a `nextCursor`. @throws AppError `INVALID_REQUEST`. */
export function parseCursor(cursor: string): string[] {
  const key = keyOfCursor(cursor);
  if (key === undefined) throw malformedCursor();
  return key;
}

function keyOfCursor(cursor: string): string[] | undefined {
  if (cursor.length > 500 || !/^[\w-]+$/.test(cursor)) return undefined;
  let key: unknown;
  try {
    key = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
  return Array.isArray(key) && key.every((part) => typeof part === 'string') ? key : undefined;
}
