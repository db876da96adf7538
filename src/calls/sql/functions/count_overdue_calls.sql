-- Counts the calls that are due and held neither by a pause nor by the wait for a concurrency slot. `seconds`
-- is the time since the first of them became due. For the scrape of metrics.
CREATE OR REPLACE FUNCTION count_overdue_calls()
  RETURNS TABLE(calls float8, seconds float8)
  LANGUAGE sql
  SECURITY DEFINER
AS $$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now)
    SELECT count(*)::float8, coalesce(extract(epoch FROM max(clock.now - r.runs_at)), 0)::float8
    FROM call_requests r JOIN teams t ON t.id = r.team_id CROSS JOIN platform_settings s CROSS JOIN clock
    WHERE r.phase <= 0 AND (waiting_since IS NULL OR line_offered_at IS NOT NULL) AND r.runs_at <= clock.now AND NOT t.paused AND NOT s.paused
$$;
