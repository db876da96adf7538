-- Ends the live enrollments of archived campaigns, a bounded batch of each version in the order of their ids;
-- returns their number. Where a call has ended, the engine decides first what follows from it, and the enrollment
-- ends by that decision.
CREATE OR REPLACE FUNCTION end_archived_enrollments(batch integer)
  RETURNS integer
  LANGUAGE sql
  VOLATILE SECURITY DEFINER
AS $$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    live AS MATERIALIZED (
      SELECT l.id FROM clock CROSS JOIN campaigns p
      JOIN campaign_versions v ON v.campaign_id = p.id
      CROSS JOIN LATERAL (
        SELECT e.id FROM enrollments e
        WHERE e.version_id = v.id AND e.status IN ('active', 'paused')
          AND (e.settle_at IS NULL OR e.settle_at > clock.now OR e.calls = '{}')
        ORDER BY e.id
        LIMIT batch
        FOR UPDATE SKIP LOCKED) l
      WHERE p.status = 'archived'
    ), ended AS (
      UPDATE enrollments e SET
        status = 'exited', end_reason = 'archived', ended_at = clock.now, updated_at = clock.now,
        waiting_for = NULL, next_attempt_at = NULL, look_at = NULL, settle_at = NULL,
        timeline = e.timeline || jsonb_build_object(
          'at', to_char(clock.now AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'kind', 'ended', 'status', 'exited', 'endReason', 'archived')
      FROM live, clock
      WHERE e.id = live.id
        -- Forces the index: with wrong statistics, a join reads the whole table.
        AND e.id = ANY(ARRAY(SELECT id FROM live))
      RETURNING 1
    )
    SELECT count(*)::integer FROM ended
$$;
