import { type EntityManager } from 'typeorm';
import { endPendingCalls } from '../calls/shared/end-pending-calls.js';
import { suppressEnrollments } from '../campaigns/engine/suppress-enrollments.js';
import { ADD_TO_DO_NOT_CALL } from './opt-out.sql.js';

// Postgres keeps each lock in memory of a fixed size (64 a connection by default): long lists would exhaust it.
export const NUMBERS_A_TRANSACTION = 200;

/**
 * Adds numbers to the list, and ends their pending calls and live enrollments. `numbers` ascend, so that two additions never wait for each
 * other in a circle. A number whose entry was erased is on the list already.
 *
 * @param erased what stands for each of the numbers, or null.
 * @returns how many were not on the list.
 */
export async function addBatch(
  manager: EntityManager,
  teamId: string,
  numbers: string[],
  erased: (string | null)[],
  reason: string | null,
): Promise<number> {
  await manager.query(
    'SELECT pg_advisory_xact_lock(number_lock_key($1, number)) FROM unnest($2::text[]) AS number',
    [teamId, numbers],
  );
  // Shared, because it only has to keep a recount of the plan's usage away while calls are uncounted.
  await manager.query('SELECT pg_advisory_xact_lock_shared(team_lock_key($1))', [teamId]);
  const inserted = await manager.query<unknown[]>(ADD_TO_DO_NOT_CALL.text, [teamId, numbers, reason, erased]);
  await endPendingCalls(manager, {
    teamId,
    phoneNumbers: numbers,
    reason: 'DO_NOT_CALL',
    cause: 'do_not_call',
  });
  await suppressEnrollments(manager, teamId, numbers);
  return inserted.length;
}
