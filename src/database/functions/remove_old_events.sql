-- Removes a batch of a team's events that are older than its retention, in the order of their numbers. The first younger event ends the
-- batch, and events without a number stay. Therefore all events up to `removed_through` are removed, and none after it. One process at a
-- time removes events; for the others, the function removes nothing.
CREATE OR REPLACE FUNCTION remove_old_events(team uuid, batch integer)
  RETURNS integer
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path = public, pg_temp
AS $$
    WITH lock AS MATERIALIZED (
      SELECT pg_try_advisory_xact_lock(hashtextextended('remove_old_events', 8)) AS held
    ), kept AS MATERIALIZED (
      SELECT outdial_now() - coalesce(t.event_retention_days, s.event_retention_days) * interval '24 hours' AS since, n.removed_through
      FROM lock CROSS JOIN platform_settings s CROSS JOIN teams t
      JOIN event_sequences n ON n.team_id = t.id
      WHERE lock.held AND t.id = team AND coalesce(t.event_retention_days, s.event_retention_days) > 0
    ), looked AS MATERIALIZED (
      SELECT e.position, e.sequence, e.at FROM events e
      WHERE e.team_id = team AND e.sequence > (SELECT kept.removed_through FROM kept)
      ORDER BY e.sequence
      LIMIT batch
    ), old AS MATERIALIZED (
      SELECT l.position, l.sequence FROM (
        SELECT looked.position, looked.sequence, max(looked.at) OVER (ORDER BY looked.sequence) AS youngest FROM looked) l
      WHERE l.youngest <= (SELECT kept.since FROM kept)
    ), removed AS (
      DELETE FROM events e WHERE e.position = ANY (ARRAY(SELECT old.position FROM old))
      RETURNING 1
    ), noted AS (
      -- Since the snapshot of this statement, another process may have removed later events.
      UPDATE event_sequences n SET removed_through = greatest(n.removed_through, reached.sequence)
      FROM (SELECT max(old.sequence) AS sequence FROM old) reached
      WHERE n.team_id = team AND reached.sequence IS NOT NULL
    )
    SELECT count(*)::integer FROM removed
$$;

REVOKE EXECUTE ON FUNCTION remove_old_events FROM PUBLIC;
GRANT EXECUTE ON FUNCTION remove_old_events TO outdial_app;
