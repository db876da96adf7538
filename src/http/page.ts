import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Request } from 'express';
import { invalid, type Problem, problemOf } from './app-error.js';
import { noteInput } from './route-input.js';

export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 200;

/** One page of a list, as the operator reads it; `nextCursor` is null on the last one. */
export interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

/** The requested page: at most `limit` rows after the one with the key `after`. `filters` are those that were sent. */
export interface PageRequest<Filter extends string = never> {
  limit: number;
  after: string[] | null;
  filters: Partial<Record<Filter, string>>;
}

/**
 * The page that a list's query string requests: `limit` (1 to 200), `cursor` (of the page before), and the named
 * filters. Runs after the guards.
 *
 * @throws AppError `INVALID_REQUEST` naming what is malformed, unknown or sent twice.
 */
export function PageOf(filters: readonly string[] = []): ParameterDecorator {
  return (target, handler, index) => {
    if (handler !== undefined) noteInput(target, handler, { filters });
    RequestedPage(filters)(target, handler, index);
  };
}

const RequestedPage = createParamDecorator(
  (filters: readonly string[], context: ExecutionContext): PageRequest<string> =>
    parsePageRequest(context.switchToHttp().getRequest<Request>().query, filters),
);

/** {@link PageOf} without Nest. */
export function parsePageRequest(query: Request['query'], known: readonly string[]): PageRequest<string> {
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
  if (problems.length > 0) throw invalid(...problems);
  const { limit, cursor, ...filters } = sent;
  return {
    limit: limit === undefined ? DEFAULT_LIMIT : parseLimit(limit),
    after: cursor === undefined ? null : parseCursor(cursor),
    filters,
  };
}

/** Makes the page of `rows`, which hold one more than the limit where there is a next page. */
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

/** The instant in a cursor, as `toISOString` wrote it; null for a year that Postgres cannot store. */
export function cursorInstant(text: string | undefined): Date | null {
  if (text === undefined || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)) return null;
  const instant = new Date(text);
  // Postgres has no year 0000.
  return Number.isNaN(instant.getTime()) || text.startsWith('0000') ? null : instant;
}

/** The instant in a cursor with microseconds, as Postgres keeps it; null as for {@link cursorInstant}. */
export function exactCursorInstant(text: string | undefined): string | null {
  if (text === undefined || !/\.\d{6}Z$/.test(text)) return null;
  return cursorInstant(`${text.slice(0, -4)}Z`) === null ? null : text;
}

/** A list refuses a cursor of another list with this. */
export const malformedCursor = () => invalid('cursor must be the nextCursor of a page of this list');

function parseLimit(text: string): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MAX_LIMIT) throw invalid(`limit must be a whole number from 1 to ${MAX_LIMIT}`);
  return limit;
}

/** The `nextCursor` after the row with a key. */
export function encodeCursor(key: string[]): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

/** The key in a `nextCursor`. @throws AppError `INVALID_REQUEST`. */
export function parseCursor(cursor: string): string[] {
  if (cursor.length > 500 || !/^[\w-]+$/.test(cursor)) throw malformedCursor();
  let key: unknown;
  try {
    key = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    throw malformedCursor();
  }
  if (!Array.isArray(key) || !key.every((part) => typeof part === 'string')) throw malformedCursor();
  return key;
}
