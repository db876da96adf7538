-- The teams with a free concurrency slot that is not yet offered to one of their waiting calls.
CREATE OR REPLACE FUNCTION find_teams_with_free_concurrency_slots(unknown_ms float8, batch integer)
  RETURNS TABLE(team_id uuid)
  LANGUAGE sql
  SECURITY DEFINER
AS $$
    WITH RECURSIVE clock AS MATERIALIZED (SELECT outdial_now() AS now),
    waiting AS (
      (SELECT r.team_id FROM call_requests r
        WHERE r.phase <= 0 AND r.waiting_since IS NOT NULL ORDER BY r.team_id LIMIT 1)
      UNION ALL
      SELECT (SELECT r.team_id FROM call_requests r
        WHERE r.phase <= 0 AND r.waiting_since IS NOT NULL AND r.team_id > w.team_id ORDER BY r.team_id LIMIT 1)
      FROM waiting w WHERE w.team_id IS NOT NULL
    )
    SELECT t.id
    FROM waiting w JOIN teams t ON t.id = w.team_id CROSS JOIN platform_settings s CROSS JOIN clock
    CROSS JOIN LATERAL (
      SELECT t.max_concurrent_calls - count(*)::integer AS slots FROM call_requests b
      WHERE b.team_id = t.id AND b.phase = 1 AND b.generation >= 0
        AND (b.status <> 'dial_unknown' OR b.claimed_at > clock.now - unknown_ms * interval '1 ms')
    ) free
    WHERE NOT t.paused AND NOT s.paused AND EXISTS (
      SELECT FROM (
        SELECT o.line_offered_at FROM call_requests o
        WHERE o.team_id = t.id AND o.phase <= 0 AND o.waiting_since IS NOT NULL
        ORDER BY o.runs_at, o.id
        LIMIT greatest(0, coalesce(free.slots, 1000))
      ) oldest WHERE oldest.line_offered_at IS NULL)
    LIMIT batch
$$;
