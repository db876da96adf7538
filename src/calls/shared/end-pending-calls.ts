import { type EntityManager } from 'typeorm';
import { historyEntry } from '../dial/transitions.sql.js';
import { uncountCalls } from './plan.sql.js';

/** Which pending calls end, and why. `phoneNumbers` are E.164; `cause` goes into each call's history. */
export interface EndPendingCalls {
  teamId: string;
  phoneNumbers: string[];
  reason: 'DO_NOT_CALL';
  cause: string;
}

/**
 * Ends as `blocked` all pending calls to the numbers, and uncounts those that the plan limit had counted. The caller's transaction holds the locks of the numbers, then the team's, taken in
 * statements of their own.
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

// Rows are locked in the order of their ids, because firings that expire calls hold rows, too.
const END_PENDING_OF_NUMBERS = `
  WITH clock AS MATERIALIZED (SELECT date_trunc('milliseconds', outdial_now()) AS now),
  pending AS MATERIALIZED (
    SELECT id, counted_month FROM call_requests
    WHERE team_id = $1 AND phone_number = ANY($2::text[]) AND status IN ('scheduled', 'queued')
    ORDER BY id
    FOR UPDATE
  ), ended AS (
    UPDATE call_requests r SET
      status = 'blocked', reason = $3, ended_at = clock.now, counted_month = NULL,
      history = r.history || ${historyEntry(`'blocked'`, '$4')}
    FROM clock, pending
    WHERE r.id = pending.id
    RETURNING r.team_id, pending.counted_month
  ), uncounted AS (
    ${uncountCalls('ended')}
  )
  SELECT count(*)::integer AS ended FROM ended`;
