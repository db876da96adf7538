-- Leases the next import of consents: the one that was processed the longest ago, among the oldest running ones of all
-- teams. A concurrent invocation leases another import, or none.
CREATE OR REPLACE FUNCTION take_consents(lease interval)
  RETURNS TABLE(id uuid, team_id uuid, next_row integer, default_country text)
  LANGUAGE sql
  SECURITY DEFINER
AS $$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now), oldest AS MATERIALIZED (
      SELECT DISTINCT ON (i.team_id) i.id, i.worked_at
      FROM imports i WHERE i.status = 'running' AND i.type = 'consents'
      ORDER BY i.team_id, i.created_at, i.id
    ), next AS MATERIALIZED (
      SELECT i.id
      FROM oldest CROSS JOIN clock JOIN imports i ON i.id = oldest.id
      WHERE i.status = 'running' AND (i.leased_until IS NULL OR i.leased_until <= clock.now)
      ORDER BY oldest.worked_at NULLS FIRST, oldest.id
      LIMIT 1
      FOR NO KEY UPDATE OF i SKIP LOCKED
    )
    UPDATE imports i SET leased_until = clock.now + lease, worked_at = clock.now
    FROM next, clock, teams t
    WHERE i.id = next.id AND t.id = i.team_id
    RETURNING i.id, i.team_id, i.next_row, t.default_country
$$;
