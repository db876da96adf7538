import { type LocksToWaitFor, type ItemResult, RETRY } from '../../database/batch-work.js';
import { isLockTimeout } from '../../database/database-errors.js';
import { type OpenTransaction, type Query, type Transactions } from '../../database/transactions.js';

/**
 * Runs the transaction of a batch: `work`, once the transaction has the locks that it waits for.
 *
 * @param waits the queries that wait for locks; none for a batch that only tries its locks.
 * @throws the lock timeout of a lock that it waits for. After a timeout on a row, a team's items are
 *   retried individually.
 */
export async function runUnderLocks<Value>(
  transactions: Transactions,
  items: unknown[],
  locks: LocksToWaitFor,
  waits: Query[],
  work: (transaction: OpenTransaction) => Promise<ItemResult<Value>[]>,
): Promise<ItemResult<Value>[]> {
  let acquired = false;
  try {
    return await transactions.transact(async (transaction) => {
      if (waits.length > 0) await transaction.send(waits);
      acquired = true;
      return work(transaction);
    });
  } catch (error) {
    if (locks === 'team' && acquired && isLockTimeout(error)) return items.map(() => RETRY);
    throw error;
  }
}

/**
 * Decides the items of a batch one after the other. An item whose decision throws does not affect the others.
 * Its result is null, and it is decided again individually.
 *
 * @param decideOne returns null if nothing can be decided under the locks that are held.
 * @param order the indexes of the items, in the order of the decisions.
 * @returns the decisions in the order of the items.
 * @throws what `decideOne` throws for a batch of one item.
 */
export function decideEach<Item, Decided>(
  items: Item[],
  decideOne: (item: Item, n: number) => Decided | null,
  order: Iterable<number> = items.keys(),
): (Decided | null)[] {
  const decided = items.map((): Decided | null => null);
  for (const n of order) {
    try {
      decided[n] = decideOne(items[n] as Item, n);
    } catch (error) {
      if (items.length === 1) throw error;
    }
  }
  return decided;
}
