-- Campaigns that may dial and have a due dial, with their weights among the campaigns of their teams. For each
-- campaign, it reads at most three entries of the index of dials, however many wait. While a campaign, its team
-- or the platform is paused, its due dials stay as they are.
CREATE OR REPLACE FUNCTION find_dialing_campaigns()
  RETURNS TABLE(id uuid, team_id uuid, weight integer)
  LANGUAGE sql
  STABLE SECURITY DEFINER
AS $$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now)
    SELECT p.id, p.team_id, coalesce((p.pacing->>'weight')::integer, 1)
    FROM clock CROSS JOIN platform_settings s CROSS JOIN campaigns p JOIN teams t ON t.id = p.team_id
    WHERE p.status = 'active' AND NOT t.paused AND NOT s.paused AND (
      SELECT true FROM generate_series(0, 2) AS rank CROSS JOIN LATERAL (
        SELECT FROM enrollments e
        WHERE e.campaign_id = p.id AND e.status = 'active' AND e.dial_rank = rank AND e.look_at IS NOT NULL AND e.look_at <= clock.now
        ORDER BY e.look_at
        LIMIT 1) due
      LIMIT 1)
$$;
