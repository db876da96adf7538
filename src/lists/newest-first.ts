import {
  encodeCursor,
  exactCursorInstant,
  malformedCursor,
  type Page,
  type PageRequest,
} from '../http/page.js';
import { isUuid } from '../http/validators.js';
import { MAX_PAGE_BYTES } from './keyset.js';

/*
 * Lists of a team, the newest first, in the order of an index on the team, an instant and a key. A page
 * begins after the row that its cursor names, so a row that is added between two requests shifts no other
 * row. A filter that has no index of its own is applied while the rows are walked. A walk ends after a
 * bounded number of rows; its page then has fewer items, and the next page continues there.
 */

/** The most rows that one statement of a walk reads. */
export const WALK_WINDOW = 20_000;

/** The most statements of one walk. */
export const MAX_WINDOWS = 20;

/** After this time, in milliseconds, a walk begins no further statement. */
const WALK_MS = 1_000;

/**
 * If an index finds at most this many rows, they are sorted. If it finds more, the list is walked: such rows
 * are then so frequent that the walk soon fills a page.
 */
export const MOST_SORTED = 2_000;

/**
 * Whether an index finds so few rows that they are sorted.
 *
 * @param count counts these rows, up to a limit.
 */
export async function areFew(count: (limit: number) => Promise<number | undefined>): Promise<boolean> {
  return ((await count(MOST_SORTED + 1)) ?? 0) <= MOST_SORTED;
}

/** The position before the first row. */
export const FROM_START = { at: 'infinity', key: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

/**
 * The position of a row in the order: `at` is an instant with microseconds, or `infinity` before the first
 * row.
 */
export interface Position {
  at: string;
  key: string;
}

/**
 * SQL: an instant with microseconds, which a JavaScript date does not have.
 * @param instant SQL for a timestamptz.
 */
export function exactInstant(instant: string): string {
  return `to_char(${instant} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

/**
 * The position after which a page begins.
 *
 * @param isKey whether a value can be the second part of the cursor.
 * @throws AppError `INVALID_REQUEST` for the cursor of another list.
 */
export function positionOf(
  { after }: Pick<PageRequest, 'after'>,
  isKey: (value: unknown) => value is string = isUuid,
  start = FROM_START,
): Position {
  if (after === null) return start;
  const [text, key] = after;
  const at = exactCursorInstant(text);
  if (at === null || !isKey(key) || after.length > 2) throw malformedCursor();
  return { at, key };
}

/** A row of a list that matches the filter, or the last row of a window, which may not match. */
export interface WalkedRow extends Position {
  matches: boolean;
  /** Whether the window ends here, so that there may be further rows. */
  ends: boolean;
}

/**
 * The statement of a walk: it reads at most {@link WALK_WINDOW} rows and returns at most as many as the page
 * needs.
 *
 * @param rows SQL: a select of `at` (timestamptz), `key` and `matches`, without an order.
 * @param limit SQL for the most rows to return.
 * @param direction `ASC` for a list that begins with the earliest.
 */
export function walking(rows: string, limit: string, direction: 'ASC' | 'DESC' = 'DESC'): string {
  const by = (row: string) => `${row}.at ${direction}, ${row}.key ${direction}`;
  return `
    SELECT ${exactInstant('w.at')} AS at, w.key::text AS key, w.matches, w.n = ${WALK_WINDOW} AS ends
    FROM (
      SELECT r.*, row_number() OVER (ORDER BY ${by('r')}) AS n FROM (${rows}) r
      ORDER BY ${by('r')} LIMIT ${WALK_WINDOW}
    ) w
    WHERE w.matches OR w.n = ${WALK_WINDOW}
    ORDER BY ${by('w')}
    LIMIT ${limit}`;
}

/**
 * Walks until the page is full, the list ends, {@link MAX_WINDOWS} statements have run, or a second is over.
 *
 * @param read returns the rows after a position, at most `limit`.
 * @returns the positions of the page's rows; `next` is null at the end of the list.
 */
export async function walk<Row extends WalkedRow>(
  { limit }: { limit: number },
  start: Position,
  read: (after: Position, limit: number) => Promise<Row[]>,
): Promise<{ positions: Row[]; next: Position | null }> {
  const positions: Row[] = [];
  let after: Position = start;
  const until = performance.now() + WALK_MS;
  for (let window = 0; window < MAX_WINDOWS && (window === 0 || performance.now() < until); window += 1) {
    const rows = await read(after, limit + 1 - positions.length);
    positions.push(...rows.filter(({ matches }) => matches));
    if (positions.length > limit)
      return { positions: positions.slice(0, limit), next: positions[limit - 1] ?? null };
    const last = rows.at(-1);
    if (!last?.ends) return { positions, next: null };
    after = last;
  }
  return { positions, next: after };
}

/** What {@link fitting} adds to a row. */
export interface FittingRow {
  /** The number of the row in the page, from 1. */
  n: string;
  /** How many rows there are, including the rows that are left out. */
  found: string;
}

/**
 * SQL: as many of the rows, in the order of `n`, as stay within {@link MAX_PAGE_BYTES}. The first row is
 * returned at any size.
 *
 * @param rows SQL: a select with `n` and `bytes`, which is the size of what may be large in the row.
 */
export function fitting(rows: string): string {
  return `
    SELECT * FROM (
      SELECT p.*, count(*) OVER () AS found, sum(p.bytes) OVER (ORDER BY p.n) AS total FROM (${rows}) p
    ) p
    WHERE p.total <= ${MAX_PAGE_BYTES} OR p.n = 1
    ORDER BY p.n`;
}

/** The page of rows that {@link fitting} selected at the positions of a walk. */
export function pageOfFitting<Row extends FittingRow, Item>(
  { positions, next }: { positions: Position[]; next: Position | null },
  rows: readonly Row[],
  itemOf: (row: Row) => Item,
): Page<Item> {
  const items = rows.map(itemOf);
  const last = rows.at(-1);
  const cut = last !== undefined && rows.length < Number(last.found);
  const end = cut ? (positions[Number(last.n) - 1] ?? null) : next;
  return { items, nextCursor: end === null ? null : encodeCursor([end.at, end.key]) };
}

/** A row of a list that is read without a walk. */
export type PositionedRow = Position;

/**
 * The page of `rows`.
 *
 * @param found how many rows there are. If the page shows fewer, there is a next page.
 */
export function pageOfPositioned<Row extends PositionedRow, Item>(
  { limit }: { limit: number },
  rows: readonly Row[],
  itemOf: (row: Row) => Item,
  found = rows.length,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const nextCursor = found > shown.length && last !== undefined ? encodeCursor([last.at, last.key]) : null;
  return { items: shown.map(itemOf), nextCursor };
}
