-- Leases the next import to undo: the one that was processed the longest ago. A concurrent invocation leases
-- another import, or none.
CREATE OR REPLACE FUNCTION take_undo(lease interval)
  RETURNS TABLE(id uuid, team_id uuid, undone_after uuid)
  LANGUAGE sql
  SECURITY DEFINER
AS $$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now), next AS MATERIALIZED (
      SELECT i.id FROM imports i CROSS JOIN clock
      WHERE i.status = 'undoing' AND (i.leased_until IS NULL OR i.leased_until <= clock.now)
      ORDER BY i.worked_at NULLS FIRST, i.id
      LIMIT 1
      FOR NO KEY UPDATE OF i SKIP LOCKED
    )
    UPDATE imports i SET leased_until = clock.now + lease, worked_at = clock.now
    FROM next, clock
    WHERE i.id = next.id
    RETURNING i.id, i.team_id, i.undone_after
$$;
