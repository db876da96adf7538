import { setImmediate as iterationOfEventLoop } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { done, type LocksToWaitFor, type ItemResult, RETRY } from '../../../src/database/batch-work.js';
import { Batcher } from '../../../src/database/batcher/batcher.js';
import { KeyedSemaphore } from '../../../src/database/keyed-semaphore.js';

/** A transaction that was begun, to be ended by the test. */
export interface Transaction {
  items: string[];
  locks: LocksToWaitFor;
  end: (result?: (item: string) => ItemResult<string>) => void;
  fail: (error: unknown) => void;
}

/** Items are named `team number`; the number is the key. */
export function batcher({ keyed = false, semaphore = new KeyedSemaphore(5, 2) } = {}) {
  const transactions: Transaction[] = [];
  const made = new Batcher<string, string>(
    {
      run: (items, locks) =>
        new Promise((resolve, reject) =>
          transactions.push({
            items,
            locks,
            fail: reject,
            end: (result = (item) => done(`${item} ${locks}`)) => resolve(items.map(result)),
          }),
        ),
      teamOf: (item) => item.split(' ')[0] ?? '',
      ...(keyed ? { keyOf: (item: string) => item } : {}),
    },
    semaphore,
  );
  const add = (...items: string[]) => items.map((item) => made.add(item));
  const begun = () => transactions.map(({ items, locks }) => [locks, ...items]);
  return { transactions, add, begun };
}

export async function settled(): Promise<void> {
  for (let n = 0; n < 10; n += 1) await iterationOfEventLoop();
}

export function databaseError(code: string): DatabaseError {
  const error = new DatabaseError('refused', 1, 'error');
  error.code = code;
  return error;
}

export const range = (team: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${team} ${index}`);
export const retry = () => RETRY;
