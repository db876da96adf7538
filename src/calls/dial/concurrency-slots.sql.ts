import { type Statement } from '../../database/transactions.js';

/*
 * A team's lines. A call occupies one from its claim until it is known to have ended; in `dial_unknown` somebody may be
 * talking, so it counts for as long as a call may last, and no longer, or one lost answer would cost a line for ever.
 */

/** @param team SQL for the team, @param unknownMs SQL for how long a call may last, in milliseconds. */
export function busyLines(team: string, unknownMs: string): string {
  return `(SELECT count(*)::integer FROM call_requests b
      WHERE b.team_id = ${team} AND b.status IN ('dialing', 'in_progress', 'dial_unknown')
        AND (b.status <> 'dial_unknown' OR b.claimed_at > clock.now - ${unknownMs} * interval '1 ms'))`;
}

/** Its job ends; it has no other until a line is offered to it. $1 id, $2 generation, $3 now, $4 `PENDING_STATES`. */
export const WAIT_FOR_LINE: Statement = {
  name: 'wait_for_line',
  text: `
    UPDATE call_requests SET waiting_since = coalesce(waiting_since, $3), line_offered_at = NULL
    WHERE id = $1 AND generation = $2 AND status = ANY($4)
    RETURNING id`,
};

/**
 * Offers the lines that are free to the oldest that wait, under the team's exclusive lock: whoever finds no line is
 * either seen here, or sees the free one. Gives those to wake.
 * $1 team, $2 how long a call may last in ms, $3 batch size, $4 `PENDING_STATES`.
 */
export const OFFER_LINES: Statement = {
  name: 'offer_lines',
  text: `
    WITH clock AS MATERIALIZED (SELECT date_trunc('milliseconds', outdial_now()) AS now),
    free AS (
      SELECT CASE WHEN t.max_concurrent_calls IS NULL THEN $3::integer
        ELSE least($3, greatest(0, t.max_concurrent_calls - ${busyLines('t.id', '$2::float8')})) END AS lines
      FROM teams t CROSS JOIN clock WHERE t.id = $1
    ), oldest AS (
      SELECT id, line_offered_at FROM call_requests
      WHERE team_id = $1 AND status IN ('scheduled', 'queued') AND waiting_since IS NOT NULL
      ORDER BY runs_at, id
      LIMIT (SELECT lines FROM free)
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

/** Teams with calls that wait though a line is free. $1 how long a call may last in ms, $2 batch size. */
export const FIND_TEAMS_WITH_FREE_LINES: Statement = {
  name: 'find_teams_with_free_lines',
  text: 'SELECT team_id FROM find_teams_with_free_lines($1, $2)',
};
