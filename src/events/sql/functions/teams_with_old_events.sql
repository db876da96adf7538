-- Teams whose oldest event is from before their retention, in the order of their ids.
CREATE OR REPLACE FUNCTION teams_with_old_events(after_team uuid, batch integer)
  RETURNS TABLE(id uuid)
  LANGUAGE sql
  STABLE SECURITY DEFINER
AS $$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now)
    SELECT t.id
    FROM teams t CROSS JOIN platform_settings s CROSS JOIN clock
    CROSS JOIN LATERAL (
      SELECT b.positions FROM event_batches b WHERE b.team_id = t.id ORDER BY b.last LIMIT 1) first
    WHERE t.id > after_team AND coalesce(t.event_retention_days, s.event_retention_days) > 0
      -- A batch whose first event is missing is removed, too.
      AND coalesce((SELECT e.at FROM events e WHERE e.position = first.positions[1]), '-infinity')
        <= clock.now - coalesce(t.event_retention_days, s.event_retention_days) * interval '24 hours'
    ORDER BY t.id
    LIMIT batch
$$;
