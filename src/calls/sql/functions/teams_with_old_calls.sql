-- Teams that have calls from before their retention, in the order of their ids; `remove_ended_calls` decides
-- which calls it removes.
CREATE OR REPLACE FUNCTION teams_with_old_calls(after_team uuid, batch integer)
  RETURNS TABLE(id uuid)
  LANGUAGE sql
  STABLE SECURITY DEFINER
AS $$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now)
    SELECT t.id
    FROM teams t CROSS JOIN platform_settings s CROSS JOIN clock
    WHERE t.id > after_team AND coalesce(t.call_retention_days, s.call_retention_days) > 0
      AND (SELECT true FROM call_requests r
        WHERE r.team_id = t.id
          AND r.accepted_at <= clock.now - coalesce(t.call_retention_days, s.call_retention_days) * interval '24 hours'
        LIMIT 1) IS NOT NULL
    ORDER BY t.id
    LIMIT batch
$$;
