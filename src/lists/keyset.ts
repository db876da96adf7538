import { type ObjectLiteral, type SelectQueryBuilder } from 'typeorm';
import { cursorInstant, malformedCursor, type Page, pageOf, type PageRequest } from '../http/page.js';
import { isUuid } from '../http/validators.js';
import { OneAtATime } from '../fairness/one-at-a-time.js';

// JavaScript dates have milliseconds only, so rows are ordered by milliseconds, too.
const createdAt = (alias: string) => `date_trunc('milliseconds', ${alias}.created_at)`;

/**
 * The most bytes of JSON in the large columns of a page. A page ends early before it exceeds them, but it
 * shows its first row at any size.
 */
export const MAX_PAGE_BYTES = 1_000_000;

/** Reads large pages, one at a time. */
const largePages = new OneAtATime();

/** SQL for the size of a row's large properties as JSON, in bytes. */
export function jsonBytesOf<Row>(alias: string, ...properties: (keyof Row & string)[]): string {
  return properties
    .map((name) => `coalesce(octet_length(CAST(to_json(${alias}.${name}) AS text)), 0)`)
    .join(' + ');
}

/**
 * How many rows of an ordered query make a page: `limit`, or fewer that stay within {@link MAX_PAGE_BYTES}.
 * Postgres measures the rows, so that the process reads at most one row more than it shows.
 *
 * @param bytes SQL for the size of what may be large in a row.
 */
async function rowsOfPage<Row extends ObjectLiteral>(
  query: SelectQueryBuilder<Row>,
  limit: number,
  bytes: string,
): Promise<number> {
  const sizes = await query.clone().select(bytes, 'bytes').limit(limit).getRawMany<{ bytes: string }>();
  let total = 0;
  const fitting = sizes.findIndex((row) => (total += Number(row.bytes)) > MAX_PAGE_BYTES);
  return fitting < 0 ? limit : Math.max(fitting, 1);
}

/**
 * One page of the query's rows, oldest first. For lists that are short enough to be sorted on each read.
 *
 * @param bytes SQL for the size of what may be large in a row; see {@link rowsOfPage}.
 * @throws AppError `INVALID_REQUEST` when the cursor is not of such a list.
 */
export async function pageByCreation<Row extends { id: string; createdAt: Date }, Item>(
  query: SelectQueryBuilder<Row>,
  request: PageRequest<string>,
  itemOf: (row: Row) => Item,
  bytes?: string,
): Promise<Page<Item>> {
  const { alias } = query;
  if (request.after) {
    const [text, id] = request.after;
    const at = cursorInstant(text);
    if (at === null || !isUuid(id)) throw malformedCursor();
    query.andWhere(`(${createdAt(alias)}, ${alias}.id) > (:at, :id)`, { at, id });
  }
  query.orderBy(createdAt(alias)).addOrderBy(`${alias}.id`);
  return readPage(query, request, (row) => [row.createdAt.toISOString(), row.id], itemOf, bytes);
}

/**
 * One page of the query's rows in the order of `key`, a property that is unique among them. For lists of any
 * length: an index has the columns that the query compares with `=`, followed by the key.
 *
 * @param bytes SQL for the size of what may be large in a row; see {@link rowsOfPage}.
 * @throws AppError `INVALID_REQUEST` when `isKey` is false for the cursor's value.
 */
export async function pageByKey<Row extends ObjectLiteral, Item>(
  query: SelectQueryBuilder<Row>,
  request: PageRequest<string>,
  key: { of: (row: Row) => string; property: keyof Row & string; isKey: (value: unknown) => boolean },
  itemOf: (row: Row) => Item,
  bytes?: string,
): Promise<Page<Item>> {
  const property = `${query.alias}.${key.property}`;
  if (request.after) {
    const [after] = request.after;
    if (!key.isKey(after)) throw malformedCursor();
    query.andWhere(`${property} > :after`, { after });
  }
  return readPage(query.orderBy(property), request, (row) => [key.of(row)], itemOf, bytes);
}

/** One page of a query that is ordered and begins after the cursor. */
export async function readPage<Row extends ObjectLiteral, Item>(
  query: SelectQueryBuilder<Row>,
  request: PageRequest<string>,
  keyOf: (row: Row) => string[],
  itemOf: (row: Row) => Item,
  bytes?: string,
): Promise<Page<Item>> {
  const read = async (limit: number) =>
    pageOf(await readRows(query.limit(limit + 1)), { limit }, keyOf, itemOf);
  return bytes === undefined
    ? read(request.limit)
    : largePages.run(async () => read(await rowsOfPage(query, request.limit, bytes)));
}

/**
 * The rows of a query of one table. TypeORM would compare each row with all others, to merge rows that a join
 * has repeated. This takes several times as long, and other requests wait for it.
 */
async function readRows<Row extends ObjectLiteral>(query: SelectQueryBuilder<Row>): Promise<Row[]> {
  const { alias, connection } = query;
  const columns = connection
    .getMetadata(query.expressionMap.mainAlias?.target ?? alias)
    .columns.map((column) => ({ column, key: `${alias}_${column.databaseName}` }));
  const raw = await query.getRawMany<Record<string, unknown>>();
  return raw.map((values) => {
    const row: Record<string, unknown> = {};
    for (const { column, key } of columns) {
      if (key in values)
        row[column.propertyName] = connection.driver.prepareHydratedValue(values[key], column);
    }
    return row as Row;
  });
}
