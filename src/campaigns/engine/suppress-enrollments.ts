import { type Statement } from '../../database/transactions.js';

/**
 * Ends every live enrollment of the numbers, or only those of a campaign: $3, whose call's result reaches the goal,
 * as `completed`; all others as `exited`. The transaction holds the locks of the numbers, so no concurrent decision
 * dials them. $1 team, $2 numbers in E.164, $3 enrollment or null, $4 campaign or null.
 */
export const SUPPRESS_ENROLLMENTS: Statement = {
  name: 'suppress_enrollments',
  text: `
  WITH clock AS MATERIALIZED (SELECT date_trunc('milliseconds', outdial_now()) AS now),
  live AS MATERIALIZED (
    SELECT e.id,
      CASE WHEN e.id = $3::uuid THEN 'completed' ELSE 'exited' END AS ended,
      CASE WHEN e.id = $3::uuid THEN 'goal' ELSE 'suppressed' END AS end_reason
    FROM contacts c JOIN enrollments e ON e.team_id = c.team_id AND e.contact_id = c.id
    WHERE c.team_id = $1 AND c.phone_number = ANY($2::text[]) AND e.status IN ('active', 'paused')
      AND ($4::uuid IS NULL OR e.campaign_id = $4)
    ORDER BY e.id
    FOR UPDATE OF e
  )
  UPDATE enrollments e SET
    status = live.ended, end_reason = live.end_reason, ended_at = clock.now, updated_at = clock.now,
    waiting_for = NULL, next_attempt_at = NULL, look_at = NULL, settle_at = NULL,
    timeline = e.timeline || jsonb_build_object(
      'at', to_char(clock.now AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'kind', 'ended', 'status', live.ended, 'endReason', live.end_reason)
  FROM live, clock
  WHERE e.id = live.id`,
};
