import { type EnrollmentStatus } from '../enrollment/enrollment.entity.js';

/**
 * Changes the status of an enrollment. A live enrollment is settled at once, except if its version has neither
 * calls nor a lifetime. An ended enrollment is never due. $1 id, $2 team, $3 campaign, $4 status, $5 the statuses
 * that allow the change, $6 end reason or null, $7 the entry of the timeline without its instant.
 */
export const SET_ENROLLMENT_STATUS = `
  WITH clock AS MATERIALIZED (SELECT date_trunc('milliseconds', outdial_now()) AS now)
  UPDATE enrollments e SET
    status = $4, end_reason = $6, updated_at = clock.now,
    ended_at = CASE WHEN $6::text IS NOT NULL THEN clock.now END,
    waiting_for = CASE
      WHEN $6::text IS NOT NULL OR e.waiting_for = 'paused' THEN NULL
      WHEN $4::text = 'paused' AND e.waiting_for IS NOT NULL AND e.waiting_for NOT IN ('in_call', 'outcome', 'result', 'no_steps') THEN 'paused'
      ELSE e.waiting_for END,
    next_attempt_at = CASE WHEN $6::text IS NULL THEN e.next_attempt_at END,
    look_at = CASE WHEN $6::text IS NULL AND (e.look_at IS NOT NULL OR e.waiting_for <> 'no_steps') THEN clock.now END,
    settle_at = CASE WHEN $6::text IS NULL AND (e.look_at IS NOT NULL OR e.waiting_for <> 'no_steps') THEN '-infinity'::timestamptz END,
    timeline = e.timeline || (jsonb_build_object(
      'at', to_char(clock.now AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) || $7::jsonb)
  FROM clock
  WHERE e.id = $1 AND e.team_id = $2 AND e.campaign_id = $3 AND e.status = ANY($5)
  RETURNING e.id`;

/** The entry of the timeline for each status that a request can set. */
export const TIMELINE_OF_STATUS: Partial<Record<EnrollmentStatus, object>> = {
  paused: { kind: 'paused' },
  active: { kind: 'resumed' },
  exited: { kind: 'ended', status: 'exited', endReason: 'manual' },
};
