import {
  type FindOptionsWhere,
  type ObjectLiteral,
  type QueryDeepPartialEntity,
  type Repository,
  type SelectQueryBuilder,
} from 'typeorm';
import { AppError, type ErrorCode, notFound } from '../http/app-error.js';
import { isUuid } from '../http/validators.js';
import { violatedConstraint } from '../database/database-errors.js';
import { inTransaction } from '../database/in-transaction.js';

/** Keys of one row; `id` comes from the path of a request, so it may be any text. */
type Keys<Row> = FindOptionsWhere<Row> & { id?: unknown };

/**
 * The row with these keys.
 *
 * @param what names the resource in the message, such as `Team`.
 * @throws AppError `NOT_FOUND`, also when the id is no UUID.
 */
export async function findRow<Row extends ObjectLiteral>(
  repository: Repository<Row>,
  keys: Keys<Row>,
  what: string,
): Promise<Row> {
  if ('id' in keys && !isUuid(keys.id)) throw notFound(what);
  const row = await repository.findOneBy(keys);
  if (row === null) throw notFound(what);
  return row;
}

/**
 * Writes the fields that were sent (those that are not `undefined`) and returns the new row. Other fields
 * stay, even when another transaction changes them at the same time.
 *
 * @throws AppError `NOT_FOUND` as {@link findRow} does.
 */
export async function changeRow<Row extends ObjectLiteral>(
  repository: Repository<Row>,
  keys: Keys<Row>,
  fields: QueryDeepPartialEntity<Row>,
  what: string,
): Promise<Row> {
  const sent = sentFields(fields);
  if (Object.keys(sent).length > 0 && (!('id' in keys) || isUuid(keys.id))) {
    await inTransaction(repository.manager, (manager) =>
      manager.withRepository(repository).update(keys, sent),
    );
  }
  return findRow(repository, keys, what);
}

/** Without the keys whose value is `undefined`. */
export function sentFields<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

/**
 * For `catch`: turns the violation of a named constraint into a refusal. Postgres checks the constraint at
 * the write; a check before it could be outdated by another write.
 */
export function refuse(refusals: Record<string, readonly [ErrorCode, string]>): (error: unknown) => never {
  return (error) => {
    const [code, message] = refusals[violatedConstraint(error) ?? ''] ?? [];
    if (code === undefined || message === undefined) throw error;
    throw new AppError(code, message);
  };
}

/**
 * The ids of the rows with this name, ten at most: those that are spelled so, else those that differ only in
 * case. A name need not be unique.
 *
 * @param query of the rows, as `r`, which have an `id` and a `name`.
 */
export async function idsNamed<Row extends { id: string; name: string }>(
  query: SelectQueryBuilder<Row>,
  name: string,
): Promise<string[]> {
  const rows = await query
    .select(['r.id', 'r.name'])
    .andWhere('lower(r.name) = lower(:name)', { name })
    .orderBy('r.name = :name', 'DESC')
    .addOrderBy('r.id')
    .take(10)
    .getMany();
  const exact = rows.filter((row) => row.name === name);
  return (exact.length > 0 ? exact : rows).map(({ id }) => id);
}
