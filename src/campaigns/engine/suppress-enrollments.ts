import { type Statement } from '../../database/transactions.js';

/**
 * Ends every live enrollment of the numbers, except $3, which a result ends otherwise; null: none. The transaction holds the locks of the numbers, so no concurrent
 * decision dials them. $1 team, $2 numbers in E.164.
 */
export const SUPPRESS_ENROLLMENTS: Statement = {
  name: 'suppress_enrollments',
  text: `
  WITH clock AS MATERIALIZED (SELECT date_trunc('milliseconds', outdial_now()) AS now),
  live AS MATERIALIZED (
    SELECT e.id FROM contacts c JOIN enrollments e ON e.team_id = c.team_id AND e.contact_id = c.id
    WHERE c.team_id = $1 AND c.phone_number = ANY($2::text[]) AND e.status IN ('active', 'paused')
      AND e.id IS DISTINCT FROM $3::uuid
    ORDER BY e.id
    FOR UPDATE OF e
  )
  UPDATE enrollments e SET
    status = 'exited', end_reason = 'suppressed', ended_at = clock.now, updated_at = clock.now,
    waiting_for = NULL, next_attempt_at = NULL, look_at = NULL, settle_at = NULL,
    timeline = e.timeline || jsonb_build_object(
      'at', to_char(clock.now AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'kind', 'ended', 'status', 'exited', 'endReason', 'suppressed')
  FROM live, clock
  WHERE e.id = live.id`,
};
