import { type EntityManager } from 'typeorm';
import { endPendingCalls } from './end-pending-calls.js';
import { LOCK_NUMBERS } from '../dialing/facts/locks.sql.js';
import { SUPPRESS_ENROLLMENTS } from '../campaigns/engine/suppress-enrollments.js';
import { limitLockWaits, LOCK_TEAM_SHARED, team } from '../database/team-scope.js';
import { type KeyedSemaphore } from '../database/keyed-semaphore.js';
import { type Query, query, type Transactions } from '../database/transactions.js';
import { numbersOfPerson } from '../domain/person-number.js';
import { ADD_TO_DO_NOT_CALL } from './sql/opt-out.sql.js';

// Postgres keeps locks in memory of a fixed size, by default enough for 64 locks a connection. Long lists
// would exhaust this memory.
export const NUMBERS_A_TRANSACTION = 200;

/** Numbers that go on a team's list. */
export interface Addition {
  teamId: string;
  /** In ascending order, so that two additions never wait for each other in a circle. */
  numbers: string[];
  /** The erased form of each number, or null. A number whose entry was erased is on the list already. */
  erased: (string | null)[];
  reason: string | null;
}

/**
 * Adds the numbers to the list, and ends their pending calls and live enrollments. The first of `writes` has
 * a row for each new entry.
 */
function stepsOf({ teamId, numbers, erased, reason }: Addition): { locks: Query[]; writes: Query[] } {
  return {
    locks: [query(LOCK_NUMBERS, teamId, numbers), query(LOCK_TEAM_SHARED, teamId)],
    writes: [
      query(ADD_TO_DO_NOT_CALL, teamId, numbers, reason, erased),
      endPendingCalls({ teamId, phoneNumbers: numbers, reason: 'DO_NOT_CALL', cause: 'do_not_call' }),
      query(SUPPRESS_ENROLLMENTS, teamId, numbers.flatMap(numbersOfPerson), null),
    ],
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
  addition: Addition,
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
export async function addBatchIn(manager: EntityManager, addition: Addition): Promise<number> {
  const { locks, writes } = stepsOf(addition);
  let added = 0;
  for (const { statement, values } of [...locks, ...writes]) {
    const rows = await manager.query<unknown[]>(statement.text, values);
    if (statement === ADD_TO_DO_NOT_CALL) added = rows.length;
  }
  return added;
}
