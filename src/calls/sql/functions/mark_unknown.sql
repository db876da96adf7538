-- Puts calls into `dial_unknown` that are still `dialing` or `in_progress` too long after their claim. Also
-- records this in their enrollments. For the reconciliation.
CREATE OR REPLACE FUNCTION mark_unknown(dialing_ms float8, in_progress_ms float8, batch integer)
  RETURNS TABLE(id uuid)
  LANGUAGE sql
  SECURITY DEFINER
AS $$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    silent AS (
      SELECT r.id FROM call_requests r CROSS JOIN clock
      WHERE r.phase = 1 AND r.generation >= 0 AND (
        r.status = 'dialing' AND r.claimed_at < clock.now - dialing_ms * interval '1 ms'
        OR r.status = 'in_progress' AND r.claimed_at < clock.now - in_progress_ms * interval '1 ms')
      ORDER BY r.claimed_at
      LIMIT batch
      FOR UPDATE OF r SKIP LOCKED
    ), marked AS (
      UPDATE call_requests r SET
        status = 'dial_unknown', reason = 'NO_WORD',
        variables = CASE WHEN starts_with(r.phone_number, 'erased:') THEN '{}' ELSE r.variables END,
        prompt = CASE WHEN NOT starts_with(r.phone_number, 'erased:') THEN r.prompt END,
        first_message = CASE WHEN NOT starts_with(r.phone_number, 'erased:') THEN r.first_message END,
        history = r.history || jsonb_build_object(
          'at', to_char(clock.now AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'from', r.status, 'to', 'dial_unknown', 'cause', 'no_word')
      FROM silent, clock
      WHERE r.id = silent.id
      RETURNING r.id, r.enrollment_id, r.status, r.history->-1->>'from' AS came_from
    ), recorded AS (
      UPDATE enrollments e SET
        calls = count_call(e.calls, m.came_from, m.status, true),
        look_at = CASE WHEN e.status IN ('active', 'paused') THEN clock.now ELSE e.look_at END,
        settle_at = CASE WHEN e.status IN ('active', 'paused') THEN '-infinity' ELSE e.settle_at END,
        timeline = e.timeline || jsonb_build_object(
          'at', to_char(clock.now AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'kind', 'call', 'callRequestId', m.id, 'status', m.status)
      FROM marked m, clock
      WHERE e.id = m.enrollment_id
        -- Forces the index: with wrong statistics, a join reads the whole table.
        AND e.id = ANY(ARRAY(SELECT enrollment_id FROM marked))
    )
    SELECT marked.id FROM marked
$$;
