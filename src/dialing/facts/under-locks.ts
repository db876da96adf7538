import { type LocksToWaitFor, type ItemResult, RETRY } from '../../database/batch-work.js';
import { isLockTimeout } from '../../database/database-errors.js';
import {
  type DecideStep,
  type Query,
  type Transactions,
  type TransactionStep,
} from '../../database/transactions.js';

interface Steps<Value> {
  /** The queries that wait for locks; none for a batch that only tries its locks. */
  waits: Query[];
  /** The queries that try the locks and read the facts. */
  facts: Query[];
  decide: DecideStep<ItemResult<Value>[]>;
}

/**
 * Runs the transaction of a batch. If it waits for locks, it sends the queries for the facts once it has the
 * locks.
 *
 * @throws the lock timeout of a lock that it waits for. After a timeout on a row, a team's items are
 *   retried individually.
 */
export async function runUnderLocks<Value>(
  transactions: Transactions,
  items: unknown[],
  locks: LocksToWaitFor,
  { waits, facts, decide }: Steps<Value>,
): Promise<ItemResult<Value>[]> {
  if (waits.length === 0) return transactions.run(facts, decide);
  let acquired = false;
  const readFacts = (): TransactionStep<ItemResult<Value>[]> => {
    acquired = true;
    return { next: facts, decide };
  };
  try {
    return await transactions.run(waits, readFacts);
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
