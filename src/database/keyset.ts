import { type ObjectLiteral, type SelectQueryBuilder } from 'typeorm';
import { cursorInstant, malformedCursor, type Page, pageOf, type PageRequest } from '../http/page.js';
import { isUuid } from '../http/validators.js';

// JavaScript knows milliseconds only: rows are ordered by what the cursor can say.
const createdAt = (alias: string) => `date_trunc('milliseconds', ${alias}.created_at)`;

/**
 * One page of the query's rows, oldest first. For lists that are short enough to be sorted on each read.
 *
 * @throws AppError `INVALID_REQUEST` when the cursor is not of such a list.
 */
export async function pageByCreation<Row extends { id: string; createdAt: Date }, Item>(
  query: SelectQueryBuilder<Row>,
  request: PageRequest<string>,
  itemOf: (row: Row) => Item,
): Promise<Page<Item>> {
  const { alias } = query;
  if (request.after) {
    const [text, id] = request.after;
    const at = cursorInstant(text);
    if (at === null || !isUuid(id)) throw malformedCursor();
    query.andWhere(`(${createdAt(alias)}, ${alias}.id) > (:at, :id)`, { at, id });
  }
  const rows = await query
    .orderBy(createdAt(alias))
    .addOrderBy(`${alias}.id`)
    .limit(request.limit + 1)
    .getMany();
  return pageOf(rows, request, (row) => [row.createdAt.toISOString(), row.id], itemOf);
}

/**
 * One page of the query's rows in the order of `key`, a property that is unique among them and indexed behind the
 * query's equalities. For lists of any length.
 *
 * @throws AppError `INVALID_REQUEST` when `isKey` does not know the cursor's value.
 */
export async function pageByKey<Row extends ObjectLiteral, Item>(
  query: SelectQueryBuilder<Row>,
  request: PageRequest<string>,
  key: { of: (row: Row) => string; property: keyof Row & string; isKey: (value: unknown) => boolean },
  itemOf: (row: Row) => Item,
): Promise<Page<Item>> {
  const property = `${query.alias}.${key.property}`;
  if (request.after) {
    const [after] = request.after;
    if (!key.isKey(after)) throw malformedCursor();
    query.andWhere(`${property} > :after`, { after });
  }
  const rows = await query
    .orderBy(property)
    .limit(request.limit + 1)
    .getMany();
  return pageOf(rows, request, (row) => [key.of(row)], itemOf);
}
