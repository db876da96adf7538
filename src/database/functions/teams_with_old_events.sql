-- Teams whose oldest event is from before their retention, in the order of their ids.
CREATE OR REPLACE FUNCTION teams_with_old_events(after_team uuid, batch integer)
  RETURNS TABLE(id uuid)
  LANGUAGE sql
  STABLE SECURITY DEFINER
  SET search_path = public, pg_temp
AS $$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now)
    SELECT t.id
    FROM teams t CROSS JOIN platform_settings s CROSS JOIN clock
    JOIN event_sequences n ON n.team_id = t.id
    WHERE t.id > after_team AND coalesce(t.event_retention_days, s.event_retention_days) > 0
      AND (SELECT e.at FROM events e WHERE e.team_id = t.id AND e.sequence > n.removed_through ORDER BY e.sequence LIMIT 1)
        <= clock.now - coalesce(t.event_retention_days, s.event_retention_days) * interval '24 hours'
    ORDER BY t.id
    LIMIT batch
$$;

REVOKE EXECUTE ON FUNCTION teams_with_old_events FROM PUBLIC;
GRANT EXECUTE ON FUNCTION teams_with_old_events TO outdial_app;
