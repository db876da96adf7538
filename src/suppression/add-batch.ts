import { type EntityManager } from 'typeorm';
import { LOCK_NUMBERS } from '../dialing/facts/locks.sql.js';
import { limitLockWaits, LOCK_TEAM_SHARED, team } from '../database/team-scope.js';
import { type KeyedSemaphore } from '../database/keyed-semaphore.js';
import { type Query, query, type Transactions } from '../database/transactions.js';
import { ADD_TO_DO_NOT_CALL } from './sql/opt-out.sql.js';
import { type Suppression, suppressing } from './suppressing.js';

// Postgres keeps locks in memory of a fixed size, by default enough for 64 locks a connection. Long lists
// would exhaust this memory.
export const NUMBERS_A_TRANSACTION = 200;

/** Adds the numbers to the list, and ends their pending calls and live enrollments. */
function stepsOf(addition: Suppression): { locks: Query[]; writes: Query[] } {
  const { teamId, numbers } = addition;
  return {
    locks: [query(LOCK_NUMBERS, teamId, numbers), query(LOCK_TEAM_SHARED, teamId)],
    writes: suppressing(addition),
  };
}

/**
 * Adds the numbers in a transaction of its own, which waits for a permit in the queue of the team.
 *
 * @returns how many numbers were not on the list.
 */
export function addBatch(
  transactions: Transactions,
  semaphore: KeyedSemaphore,
  addition: Suppression,
): Promise<number> {
  const { teamId } = addition;
  const { locks, writes } = stepsOf(addition);
  return semaphore.runWithLocks(teamId, () =>
    transactions.within(team(teamId)).run<number>([limitLockWaits(), ...locks], () => ({
      commit: writes,
      value: ([added]) => added?.rows.length ?? 0,
    })),
  );
}

/** Adds the numbers in the operator's transaction `manager`. @returns how many were not on the list. */
export async function addBatchIn(manager: EntityManager, addition: Suppression): Promise<number> {
  const { locks, writes } = stepsOf(addition);
  let added = 0;
  for (const { statement, values } of [...locks, ...writes]) {
    const rows = await manager.query<unknown[]>(statement.text, values);
    if (statement === ADD_TO_DO_NOT_CALL) added = rows.length;
  }
  return added;
}
