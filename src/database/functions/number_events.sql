-- Numbers a batch of committed events, each team's in the order in which they were written. One transaction at a time does it; another
-- one finds the lock held and returns no row. Numbers of a team appear in their order, because each batch commits before the next begins:
-- no event appears later with a lower number than one that was read. An event that another transaction changes is left for the next batch.
--
-- In the same statement, each numbered event gets a delivery for every endpoint that is enabled and receives its type: exactly one for an
-- event and an endpoint. `woken` are these endpoints: [{endpointId, teamId}].
--
-- Events are looked for behind the position `behind`: entries of the index whose events have numbers stay in it until they are vacuumed.
CREATE OR REPLACE FUNCTION number_events(behind bigint, batch integer)
  RETURNS TABLE(numbered integer, highest bigint, woken jsonb)
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path = public, pg_temp
AS $$
DECLARE
  now timestamptz := outdial_now();
BEGIN
  -- Most looks end here.
  PERFORM FROM events e WHERE e.sequence IS NULL AND e.position > behind ORDER BY e.position LIMIT 1;
  IF NOT FOUND THEN RETURN; END IF;
  IF NOT pg_try_advisory_xact_lock(hashtextextended('number_events', 7)) THEN RETURN; END IF;
  -- A statement of its own: its snapshot has the numbers of the transaction that held the lock before.
  RETURN QUERY
    WITH taken AS MATERIALIZED (
      SELECT e.position, e.team_id FROM events e
      WHERE e.sequence IS NULL AND e.position > behind
      ORDER BY e.position
      LIMIT batch
      FOR NO KEY UPDATE SKIP LOCKED
    ), ranked AS MATERIALIZED (
      SELECT t.position, t.team_id, row_number() OVER (PARTITION BY t.team_id ORDER BY t.position) AS n FROM taken t
    ), reached AS (
      INSERT INTO event_sequences AS s (team_id, last, removed_through)
      SELECT t.team_id, count(*), 0 FROM taken t GROUP BY t.team_id ORDER BY t.team_id
      ON CONFLICT (team_id) DO UPDATE SET last = s.last + excluded.last
      RETURNING s.team_id, coalesce(old.last, 0) AS before
    ), numbers AS MATERIALIZED (
      SELECT array_agg(r.position ORDER BY r.position) AS positions, array_agg(reached.before + r.n ORDER BY r.position) AS sequences
      FROM ranked r JOIN reached ON reached.team_id = r.team_id
    ), done AS (
      -- Not a join, whose plan may read the whole table when it was made for a small one. The bucket of a position is its place among them.
      UPDATE events e SET sequence = ((SELECT n.sequences FROM numbers n))[width_bucket(e.position, (SELECT n.positions FROM numbers n))]
      WHERE e.position = ANY ((SELECT n.positions FROM numbers n)::bigint[])
      RETURNING e.position, e.id, e.team_id, e.type, e.sequence, e.subject, e.data
    ), delivered AS (
      INSERT INTO webhook_deliveries (id, team_id, endpoint_id, event_id, position, sequence, type, subject, next_at, created_at)
      SELECT new_call_id(now), d.team_id, w.id, d.id, d.position, d.sequence, d.type, subject_of_event(d.team_id, d.subject, d.data), now, now
      FROM done d
      JOIN webhook_endpoints w ON w.team_id = d.team_id AND w.disabled_at IS NULL AND w.deleted_at IS NULL
        AND (w.types IS NULL OR d.type = ANY (w.types))
      ORDER BY d.position
      RETURNING endpoint_id, webhook_deliveries.team_id
    )
    SELECT count(*)::integer, max(done.position),
      (SELECT jsonb_agg(DISTINCT jsonb_build_object('endpointId', d.endpoint_id, 'teamId', d.team_id)) FROM delivered d)
    FROM done;
END $$;

REVOKE EXECUTE ON FUNCTION number_events FROM PUBLIC;
GRANT EXECUTE ON FUNCTION number_events TO outdial_app;
