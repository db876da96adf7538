-- The earlier `wake_again`, for processes of versions before 0.2.0.
CREATE OR REPLACE FUNCTION wake_overdue(ids uuid[], generations integer[])
  RETURNS TABLE(id uuid, generation integer, team_id uuid)
  LANGUAGE sql
  SECURITY DEFINER
AS $$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    found AS (
      SELECT r.id FROM call_requests r
      JOIN unnest(ids, generations) AS f (id, generation) ON f.id = r.id AND f.generation = r.generation
      WHERE r.status IN ('scheduled', 'queued')
      ORDER BY r.id
      FOR UPDATE OF r SKIP LOCKED
    )
    UPDATE call_requests r SET woken_at = clock.now, wakes = r.wakes + 1, generation = r.generation + 1
    FROM found, clock
    WHERE r.id = found.id
    RETURNING r.id, r.generation, r.team_id
$$;
