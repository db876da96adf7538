import { type EntityManager } from 'typeorm';
import { LOCK_NUMBERS } from '../dialing/facts/locks.sql.js';
import { limitLockWaits, LOCK_TEAM_SHARED, team } from '../database/team-scope.js';
import { type KeyedSemaphore } from '../database/keyed-semaphore.js';
import { type Query, query, type Transactions } from '../database/transactions.js';
import { FIND_LISTED } from './sql/opt-out.sql.js';
import { ending, listing, type Suppression, suppressing } from './suppressing.js';

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

/**
 * Adds the numbers in the operator's transaction `manager`, as {@link addBatch} does, except those whose entry without
 * limits is on the list already: only their pending calls and live enrollments end.
 *
 * @returns how many were not on the list.
 */
export async function addMissingIn(manager: EntityManager, addition: Suppression): Promise<number> {
  for (const lock of stepsOf(addition).locks) await send(manager, lock);
  const added = await listMissingIn(manager, addition);
  for (const end of ending(addition)) await send(manager, end);
  return added;
}

/** Only lists the numbers, as {@link addMissingIn}. The erased form of a number has neither calls nor enrollments. */
export async function listMissingIn(manager: EntityManager, addition: Suppression): Promise<number> {
  const missing = addition.limits === undefined ? await missingOf(manager, addition) : addition;
  return missing.numbers.length === 0 ? 0 : (await send(manager, listing(missing))).length;
}

async function missingOf(manager: EntityManager, addition: Suppression): Promise<Suppression> {
  const { teamId, numbers, erased } = addition;
  const rows = await send(manager, query(FIND_LISTED, teamId, numbers, erased));
  const listed = new Set((rows as { number: string }[]).map(({ number }) => number));
  const isMissing = (_: unknown, index: number) => !listed.has(numbers[index] ?? '');
  return { ...addition, numbers: numbers.filter(isMissing), erased: erased.filter(isMissing) };
}

function send(manager: EntityManager, { statement, values }: Query): Promise<unknown[]> {
  return manager.query<unknown[]>(statement.text, values);
}
