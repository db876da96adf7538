-- Gives a new generation to calls that `find_unwoken` found, for another wake-up. Counts the calls that were
-- woken in vain. For the recovery of lost jobs.
CREATE OR REPLACE FUNCTION wake_again(ids uuid[], generations integer[], in_vain boolean[])
  RETURNS TABLE(id uuid, generation integer, team_id uuid)
  LANGUAGE sql
  SECURITY DEFINER
AS $$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    found AS (
      SELECT r.id, f.in_vain FROM call_requests r
      JOIN unnest(ids, generations, in_vain) AS f (id, generation, in_vain)
        ON f.id = r.id AND f.generation = r.generation
      WHERE r.status IN ('scheduled', 'queued')
      ORDER BY r.id
      FOR UPDATE OF r SKIP LOCKED
    )
    UPDATE call_requests r SET
      woken_at = clock.now, wakes = CASE WHEN found.in_vain THEN r.wakes + 1 ELSE 0 END, generation = r.generation + 1
    FROM found, clock
    WHERE r.id = found.id
    RETURNING r.id, r.generation, r.team_id
$$;
