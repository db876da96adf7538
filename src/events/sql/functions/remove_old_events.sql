-- Removes events of a team that are older than its retention, in the order of their numbers. A batch has
-- `batch` events, and those that were numbered together with the last one. The first younger event ends the
-- batch, and events without a number stay. Therefore all events up to `removed_through` are removed, and none
-- after it. One process at a time removes events; for the others, the function removes nothing.
CREATE OR REPLACE FUNCTION remove_old_events(team uuid, batch integer)
  RETURNS integer
  LANGUAGE sql
  SECURITY DEFINER
AS $$
    WITH lock AS MATERIALIZED (
      SELECT pg_try_advisory_xact_lock(hashtextextended('remove_old_events', 8)) AS held
    ), kept AS MATERIALIZED (
      SELECT outdial_now() - coalesce(t.event_retention_days, s.event_retention_days) * interval '24 hours' AS since
      FROM lock CROSS JOIN platform_settings s CROSS JOIN teams t
      WHERE lock.held AND t.id = team AND coalesce(t.event_retention_days, s.event_retention_days) > 0
    ), first AS MATERIALIZED (
      SELECT b.last, b.positions FROM event_batches b
      WHERE b.team_id = team AND EXISTS (SELECT FROM kept)
      ORDER BY b.last
      LIMIT batch
    ), looked AS MATERIALIZED (
      SELECT f.last, f.positions, max((
        SELECT max(e.at) FROM unnest(f.positions) AS u (position)
        CROSS JOIN LATERAL (SELECT at FROM events WHERE position = u.position OFFSET 0) e)) OVER (ORDER BY f.last) AS youngest
      FROM (
        SELECT first.*, sum(cardinality(first.positions)) OVER (ORDER BY first.last) - cardinality(first.positions) AS before FROM first) f
      WHERE f.before < batch
    ), old AS MATERIALIZED (
      SELECT l.last, l.positions FROM looked l WHERE coalesce(l.youngest, '-infinity') <= (SELECT kept.since FROM kept)
    ), removed AS (
      DELETE FROM events e WHERE e.position = ANY (ARRAY(SELECT unnest(old.positions) FROM old))
      RETURNING 1
    ), unnumbered AS (
      DELETE FROM event_batches b WHERE b.team_id = team AND b.last = ANY (ARRAY(SELECT old.last FROM old))
    ), noted AS (
      -- Since the snapshot of this statement, another process may have removed later events.
      UPDATE event_sequences n SET removed_through = greatest(n.removed_through, reached.last)
      FROM (SELECT max(old.last) AS last FROM old) reached
      WHERE n.team_id = team AND reached.last IS NOT NULL
    )
    SELECT count(*)::integer FROM removed
$$;
