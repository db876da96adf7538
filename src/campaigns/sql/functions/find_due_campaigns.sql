-- For workers of the version before, which do not know `settle_at` and `dial_rank`.
-- Campaigns with an enrollment that is due to be decided, with their weights among the campaigns of their
-- teams. It reads one entry of the index of due enrollments for each campaign, however many wait. Because of
-- the ordering, Postgres uses this index and does not read the table.
CREATE OR REPLACE FUNCTION find_due_campaigns()
  RETURNS TABLE(id uuid, team_id uuid, weight integer)
  LANGUAGE sql
  STABLE SECURITY DEFINER
AS $$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now)
    SELECT p.id, p.team_id, coalesce((p.pacing->>'weight')::integer, 1)
    FROM clock CROSS JOIN campaigns p
    WHERE p.status <> 'archived' AND (
      SELECT true FROM enrollments e
      WHERE e.campaign_id = p.id AND e.status IN ('active', 'paused') AND e.look_at IS NOT NULL AND e.look_at <= clock.now
      ORDER BY e.look_at
      LIMIT 1)
$$;
