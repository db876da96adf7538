import { type EntityManager } from 'typeorm';
import { type CallCause } from '../../domain/call-causes.js';
import { END_PENDING_OF_NUMBERS } from './end-pending.sql.js';

/** Which pending calls end, and why. `phoneNumbers` are E.164; `cause` is added to each call's history. */
export interface EndPendingCalls {
  teamId: string;
  phoneNumbers: string[];
  reason: 'DO_NOT_CALL';
  cause: CallCause;
}

/**
 * Ends all pending calls to the numbers as `blocked` and releases their plan usage. The caller's transaction holds the locks of the
 * numbers, then the team's, taken in statements of their own.
 *
 * @returns how many calls it ended.
 */
export async function endPendingCalls(manager: EntityManager, calls: EndPendingCalls): Promise<number> {
  const rows = await manager.query<{ ended: number }[]>(END_PENDING_OF_NUMBERS, [
    calls.teamId,
    calls.phoneNumbers,
    calls.reason,
    calls.cause,
  ]);
  return rows[0]?.ended ?? 0;
}
