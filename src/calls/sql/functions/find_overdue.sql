-- The earlier `find_unwoken`, for processes of versions before 0.2.0.
CREATE OR REPLACE FUNCTION find_overdue(grace_ms float8, after_runs_at timestamptz, after_id uuid, batch integer)
  RETURNS TABLE(id uuid, generation integer, team_id uuid, runs_at timestamptz, overdue boolean, overlong boolean)
  LANGUAGE sql
  SECURITY DEFINER
AS $$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now)
    SELECT r.id, r.generation, r.team_id, r.runs_at,
      NOT t.paused AND NOT s.paused AND r.expires_at > clock.now AND
        greatest(r.runs_at, r.woken_at) + grace_ms * interval '1 ms' * power(2, least(r.wakes, 6)) <= clock.now,
      greatest(r.runs_at, r.woken_at) + grace_ms * interval '1 ms' * 360 <= clock.now
    FROM call_requests r JOIN teams t ON t.id = r.team_id CROSS JOIN platform_settings s CROSS JOIN clock
    WHERE r.status IN ('scheduled', 'queued') AND (r.waiting_since IS NULL OR r.line_offered_at IS NOT NULL)
      AND r.runs_at <= clock.now - grace_ms * interval '1 ms'
      AND (r.runs_at, r.id) > (after_runs_at, after_id)
    ORDER BY r.runs_at, r.id
    LIMIT batch
$$;
