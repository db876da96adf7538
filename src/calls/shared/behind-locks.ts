import { type LocksToWaitFor, type Outcome, RETRY } from '../../database/batch-work.js';
import { isLockTimeout } from '../../database/team-semaphore.js';
import { type Plan, type Planner, type Query, type Transactions } from '../../database/transactions.js';

interface Steps<Value> {
  /** Take the locks that are waited for; none in a batch that only tries them. */
  waits: Query[];
  /** Try the locks and read the facts. */
  facts: Query[];
  plan: Planner<Outcome<Value>[]>;
}

/**
 * The transaction of a batch. Where it waits for locks, it has them before it sends the rest.
 *
 * @throws the lock timeout of a lock that it waits for; a row that is held sends a team's items on to be done individually.
 */
export async function runBehindLocks<Value>(
  transactions: Transactions,
  items: unknown[],
  locks: LocksToWaitFor,
  { waits, facts, plan }: Steps<Value>,
): Promise<Outcome<Value>[]> {
  if (waits.length === 0) return transactions.run(facts, plan);
  let acquired = false;
  const readFacts = (): Plan<Outcome<Value>[]> => {
    acquired = true;
    return { next: facts, plan };
  };
  try {
    return await transactions.run(waits, readFacts);
  } catch (error) {
    if (locks === 'team' && acquired && isLockTimeout(error)) return items.map(() => RETRY);
    throw error;
  }
}
