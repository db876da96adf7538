-- Numbers a batch of committed events, each team's in the order in which they were written. One transaction
-- at a time numbers events; any other finds the lock held and returns no row. Numbers of a team appear in
-- their order, because each batch commits before the next begins. After a number was read, no event appears
-- with a lower number. An event that another transaction changes is left for the next batch.
--
-- The numbers of a team's events are one row of `event_batches`, and the events themselves are not written
-- again. `event_gaps` has the ranges in which events without numbers may be: the positions behind the highest
-- one, and earlier positions that had no committed event. A transaction gets its id before its first
-- position. So the transaction that finds a gap has a higher id than the transactions that may still fill it.
-- A gap is therefore removed once it is empty and every older transaction has ended. Run this function in a
-- transaction of its own.
--
-- In the same statement, each numbered event gets a delivery for every endpoint that is enabled and receives
-- its type. It gets exactly one for each endpoint. `woken` are these endpoints: [{endpointId, teamId}].
-- If more than `many` events of a type come together, as those of an import do, their deliveries are bulk work:
-- they wait behind the endpoint's others. Events of calls never are.
CREATE OR REPLACE FUNCTION number_events(batch integer)
  RETURNS TABLE(numbered integer, highest bigint, woken jsonb)
  LANGUAGE plpgsql
  SECURITY DEFINER
AS $$
DECLARE
  now timestamptz := outdial_now();
  many CONSTANT integer := 20;
BEGIN
  -- Most invocations end here.
  PERFORM FROM event_gaps g
  CROSS JOIN LATERAL (SELECT FROM events e WHERE e.position BETWEEN g.first AND g.last ORDER BY e.position LIMIT 1) e
  LIMIT 1;
  IF NOT FOUND THEN RETURN; END IF;
  IF NOT pg_try_advisory_xact_lock(hashtextextended('number_events', 7)) THEN RETURN; END IF;
  -- A separate statement, because its snapshot has the numbers of the transaction that held the lock before.
  RETURN QUERY
    WITH taken AS MATERIALIZED (
      -- The limit is of all ranges together: during an import, there are many.
      SELECT g.first, g.last, g.found_by, e.position, e.team_id FROM (SELECT * FROM event_gaps ORDER BY first) g
      CROSS JOIN LATERAL (
        SELECT e.position, e.team_id FROM events e
        WHERE e.position BETWEEN g.first AND g.last
        ORDER BY e.position
        LIMIT batch
        FOR NO KEY UPDATE SKIP LOCKED) e
      LIMIT batch
    ), of_teams AS MATERIALIZED (
      SELECT t.team_id, array_agg(t.position ORDER BY t.position) AS positions FROM taken t GROUP BY t.team_id
    ), reached AS (
      INSERT INTO event_sequences AS s (team_id, last, removed_through)
      SELECT o.team_id, cardinality(o.positions), 0 FROM of_teams o ORDER BY o.team_id
      ON CONFLICT (team_id) DO UPDATE SET last = s.last + excluded.last
      RETURNING s.team_id, s.last
    ), done AS (
      INSERT INTO event_batches AS b (team_id, last, positions)
      SELECT r.team_id, r.last, o.positions FROM reached r JOIN of_teams o ON o.team_id = r.team_id
      RETURNING b.team_id, b.last, b.positions
    ), closed AS (
      DELETE FROM event_gaps g
      WHERE g.first = ANY (ARRAY(SELECT t.first FROM taken t GROUP BY 1))
        OR g.found_by < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
          AND NOT EXISTS (SELECT FROM events e WHERE e.position BETWEEN g.first AND g.last)
      RETURNING 1
    ), opened AS (
      -- What is left of each range: before, between and behind its events.
      INSERT INTO event_gaps (first, last, found_by)
      SELECT parts.first, parts.last, parts.found_by FROM (
        SELECT coalesce(lag(t.position) OVER same_range + 1, t.first) AS first, t.position - 1 AS last,
          coalesce(t.found_by, pg_current_xact_id()::text::bigint) AS found_by
        FROM taken t WINDOW same_range AS (PARTITION BY t.first ORDER BY t.position)
        UNION ALL
        SELECT max(t.position) + 1, t.last, t.found_by FROM taken t GROUP BY t.first, t.last, t.found_by) parts
      -- A part may have the key of its range, so the range must be deleted first.
      WHERE parts.first <= parts.last AND (SELECT count(*) FROM closed) >= 0
    ), delivered AS (
      INSERT INTO webhook_deliveries (id, team_id, endpoint_id, event_id, position, sequence, type, subject, bulk, next_at, created_at)
      SELECT new_call_id(now), e.team_id, w.id, e.id, e.position, d.before + u.n, e.type,
        subject_of_event(e.team_id, e.subject, e.data),
        NOT starts_with(e.type, 'call.') AND count(*) OVER (PARTITION BY w.id, e.type) > many, now, now
      -- `OFFSET` keeps Postgres from reading the whole array for the number of each event.
      FROM (SELECT done.*, done.last - cardinality(done.positions) AS before FROM done OFFSET 0) d
      JOIN webhook_endpoints w ON w.team_id = d.team_id AND w.disabled_at IS NULL AND w.deleted_at IS NULL
      CROSS JOIN LATERAL unnest(d.positions) WITH ORDINALITY AS u (position, n)
      -- The lock makes Postgres read the current rows. An erasure may have changed them since the snapshot.
      CROSS JOIN LATERAL (SELECT * FROM events WHERE position = u.position FOR NO KEY UPDATE) e
      WHERE w.types IS NULL OR e.type = ANY (w.types)
      ORDER BY e.position
      RETURNING endpoint_id, webhook_deliveries.team_id
    )
    SELECT coalesce(sum(cardinality(done.positions)), 0)::integer, (SELECT max(t.position) FROM taken t),
      (SELECT jsonb_agg(DISTINCT jsonb_build_object('endpointId', d.endpoint_id, 'teamId', d.team_id)) FROM delivered d)
    FROM done;
END $$;
