-- Campaigns with something to do that needs no concurrency slot. `settles`: an enrollment is to be settled.
-- `unseen`: an enrollment is due for a dial, and was not decided since. That is only told of the campaigns in
-- `blocked`, whose dials wait, and of paused ones with a lifetime, which the first decision computes. For each
-- campaign, the function reads one or two entries of indexes, however many enrollments wait.
CREATE OR REPLACE FUNCTION find_settling_campaigns(blocked uuid[])
  RETURNS TABLE(id uuid, team_id uuid, settles boolean, unseen boolean)
  LANGUAGE sql
  STABLE SECURITY DEFINER
AS $$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now)
    SELECT p.id, p.team_id, found.settles, found.unseen
    FROM clock CROSS JOIN platform_settings s CROSS JOIN campaigns p JOIN teams t ON t.id = p.team_id
    CROSS JOIN LATERAL (
      SELECT coalesce((
        SELECT true FROM enrollments e
        WHERE e.campaign_id = p.id AND e.status IN ('active', 'paused') AND e.settle_at IS NOT NULL AND e.settle_at <= clock.now
        ORDER BY e.settle_at
        LIMIT 1), false) AS settles,
      CASE WHEN p.id = ANY(blocked) OR p.status <> 'archived' AND (p.status <> 'active' OR t.paused OR s.paused) AND EXISTS (
          SELECT FROM campaign_versions v WHERE v.campaign_id = p.id AND v.definition #>> '{caps,lifetime}' IS NOT NULL)
        THEN coalesce((
          SELECT true FROM enrollments e
          WHERE e.campaign_id = p.id AND e.status = 'active' AND e.dial_rank = 2 AND e.look_at IS NOT NULL AND e.look_at <= clock.now
          ORDER BY e.look_at
          LIMIT 1), false)
        ELSE false END AS unseen) found
    WHERE found.settles OR found.unseen
$$;
