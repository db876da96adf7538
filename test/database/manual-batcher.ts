import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { done, type LocksToWaitFor, type Outcome, RETRY } from '../../src/database/batch-work.js';
import { Batcher } from '../../src/database/batcher.js';
import { TeamSemaphore } from '../../src/database/team-semaphore.js';

/** A transaction that was begun, to be ended by the test. */
export interface Transaction {
  items: string[];
  locks: LocksToWaitFor;
  end: (outcome?: (item: string) => Outcome<string>) => void;
  fail: (error: unknown) => void;
}

/** Items are named `team number`; the number is the key. */
export function batcher({ keyed = false, semaphore = new TeamSemaphore(5, 2) } = {}) {
  const transactions: Transaction[] = [];
  const made = new Batcher<string, string>(
    {
      run: (items, locks) =>
        new Promise((resolve, reject) =>
          transactions.push({
            ...{ items, locks, fail: reject },
            end: (outcome = (item) => done(`${item} ${locks}`)) => resolve(items.map(outcome)),
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
  for (let turn = 0; turn < 10; turn += 1) await turnOfEventLoop();
}

export function databaseError(code: string): DatabaseError {
  const error = new DatabaseError('refused', 1, 'error');
  error.code = code;
  return error;
}

export const range = (team: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${team} ${index}`);
export const retry = () => RETRY;
