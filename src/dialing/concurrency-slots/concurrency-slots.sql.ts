import { type Statement } from '../../database/transactions.js';
import { isActiveCall, isPendingCall, ofManyNumbers } from '../facts/facts.sql.js';

/*
 * A team's concurrency slots. A call occupies a slot from its claim until it ends or is requeued. A call in
 * `dial_unknown` may be in progress. Its slot becomes free, even without a report, once the longest duration
 * of a call has passed since the claim.
 */

/**
 * SQL: how many calls of a team are active.
 * @param team SQL for the team. @param callTimeLimitMs SQL for how long a call may last, in milliseconds.
 */
export function activeCalls(team: string, callTimeLimitMs: string): string {
  return `(SELECT count(*)::integer FROM call_requests b
      WHERE b.team_id = ${team} AND ${isActiveCall('b')} AND ${ofManyNumbers('b')}
        AND (b.status <> 'dial_unknown' OR b.claimed_at > clock.now - ${callTimeLimitMs} * interval '1 ms'))`;
}

/**
 * Records that a call waits for a concurrency slot. The call's job ends, and the call has no other job until
 * a slot is offered to it. $1 id, $2 generation, $3 now, $4 `PENDING_STATES`.
 */
export const WAIT_FOR_CONCURRENCY_SLOT: Statement = {
  name: 'wait_for_slot',
  text: `
    UPDATE call_requests SET waiting_since = coalesce(waiting_since, $3), line_offered_at = NULL
    WHERE id = $1 AND generation = $2 AND status = ANY($4)
    RETURNING id`,
};

/**
 * Offers the free concurrency slots to the waiting calls that were due first, and returns the calls to wake.
 * The team's exclusive lock orders this statement and the firings. If a firing that finds no free slot comes
 * first, this statement can offer a slot to the fired call. If the firing comes later, it finds the free
 * slot. $1 team, $2 how long a call may last in ms, $3 batch size, $4 `PENDING_STATES`.
 */
export const OFFER_CONCURRENCY_SLOTS: Statement = {
  name: 'offer_slots',
  text: `
    WITH clock AS MATERIALIZED (SELECT date_trunc('milliseconds', outdial_now()) AS now),
    free AS (
      SELECT CASE WHEN t.max_concurrent_calls IS NULL THEN $3::integer
        ELSE least($3, greatest(0, t.max_concurrent_calls - ${activeCalls('t.id', '$2::float8')})) END AS slots
      FROM teams t CROSS JOIN clock WHERE t.id = $1
    ), oldest AS (
      SELECT id, line_offered_at FROM call_requests
      WHERE team_id = $1 AND ${isPendingCall()} AND waiting_since IS NOT NULL
      ORDER BY runs_at, id
      LIMIT (SELECT slots FROM free)
    ), chosen AS (
      SELECT r.id FROM call_requests r JOIN oldest ON oldest.id = r.id
      WHERE oldest.line_offered_at IS NULL AND r.status = ANY($4)
      FOR UPDATE OF r SKIP LOCKED
    )
    UPDATE call_requests r SET line_offered_at = clock.now, woken_at = clock.now, wakes = 0, generation = r.generation + 1
    FROM chosen, clock
    WHERE r.id = chosen.id
    RETURNING r.id, r.generation`,
};

/**
 * Teams with waiting calls and a free concurrency slot that is not offered yet. $1 how long a call may last
 * in ms, $2 batch size.
 */
export const FIND_TEAMS_WITH_FREE_CONCURRENCY_SLOTS: Statement = {
  name: 'find_teams_with_free_slots',
  text: 'SELECT team_id FROM find_teams_with_free_concurrency_slots($1, $2)',
};
