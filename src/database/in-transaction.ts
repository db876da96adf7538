import { type EntityManager } from 'typeorm';

/**
 * Runs a change in a transaction, which tells Postgres its actor: in the manager's own, or in a new one.
 * @throws what `work` throws, after a rollback.
 */
export function inTransaction<T>(
  manager: EntityManager,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  return manager.queryRunner?.isTransactionActive === true ? work(manager) : manager.transaction(work);
}
