import { isoInstant } from '../../database/iso-instant.js';
import { type Query, query, type Statement } from '../../database/transactions.js';

/** What became of an enrollment. `called`: it has a call, so it goes on. `ended`: it had ended. */
export interface UndoneEnrollmentRow extends Record<string, unknown> {
  outcome: 'undone' | 'called' | 'ended';
}

/** $1 team, $2 enrollments. */
const UNDO_ENROLLMENTS: Statement = {
  name: 'undo_enrollments',
  text: `
  WITH clock AS MATERIALIZED (SELECT date_trunc('milliseconds', outdial_now()) AS now),
  live AS MATERIALIZED (
    SELECT e.id FROM enrollments e
    WHERE e.team_id = $1 AND e.id = ANY($2::uuid[]) AND e.status IN ('active', 'paused')
      AND NOT EXISTS (SELECT FROM enrollment_dials d WHERE d.enrollment_id = e.id)
    ORDER BY e.id
    FOR UPDATE OF e
  ), undone AS (
    UPDATE enrollments e SET
      status = 'exited', end_reason = 'undone', ended_at = clock.now, updated_at = clock.now,
      waiting_for = NULL, next_attempt_at = NULL, look_at = NULL, settle_at = NULL,
      timeline = e.timeline || jsonb_build_object(
        'at', ${isoInstant('clock.now')}, 'kind', 'ended', 'status', 'exited', 'endReason', 'undone')
    FROM live, clock
    WHERE e.id = live.id
    RETURNING e.id
  )
  SELECT CASE
    WHEN e.id IN (SELECT id FROM undone) THEN 'undone'
    WHEN EXISTS (SELECT FROM enrollment_dials d WHERE d.enrollment_id = e.id) THEN 'called'
    ELSE 'ended' END AS outcome
  FROM enrollments e WHERE e.team_id = $1 AND e.id = ANY($2::uuid[])`,
};

/**
 * Ends live enrollments that have no call as `exited` with the reason `undone`; a row of the result for each. The
 * transaction holds the locks of their numbers, so no concurrent decision dials them.
 */
export function undoingEnrollments(teamId: string, ids: string[]): Query {
  return query(UNDO_ENROLLMENTS, teamId, ids);
}
