-- Takes enrollments of some campaigns that are to be decided without a dial, at most `most` of each: those to be
-- settled, or with `unseen` those that are due for a dial and were not decided since. It locks their rows, and the
-- campaigns' locks for entering steps, all without waiting. Such a decision claims no call, so it needs no lock of
-- a number or a team. What has happened comes first, because its `settle_at` is `-infinity`.
CREATE OR REPLACE FUNCTION take_settling_enrollments(campaigns uuid[], most integer, unseen boolean)
  RETURNS TABLE(teams text, taken jsonb)
  LANGUAGE plpgsql
  SECURITY DEFINER
AS $$ BEGIN RETURN QUERY
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    open AS MATERIALIZED (
      SELECT q.campaign FROM unnest(campaigns) AS q (campaign)
      WHERE pg_try_advisory_xact_lock_shared(campaign_settling_key(q.campaign))
    ), taken AS MATERIALIZED (
      SELECT d.* FROM clock CROSS JOIN open CROSS JOIN LATERAL (
        SELECT e.id, e.team_id, e.campaign_id FROM enrollments e
        WHERE NOT unseen AND e.campaign_id = open.campaign AND e.status IN ('active', 'paused')
          AND e.settle_at IS NOT NULL AND e.settle_at <= clock.now
          -- An enrollment is first migrated to its new version, and then decided by that one.
          AND NOT EXISTS (SELECT FROM campaign_versions v WHERE v.id = e.version_id AND v.migrates_to IS NOT NULL)
        ORDER BY e.settle_at, e.id
        LIMIT most
        FOR UPDATE OF e SKIP LOCKED) d
      UNION ALL
      SELECT d.* FROM clock CROSS JOIN open CROSS JOIN LATERAL (
        SELECT e.id, e.team_id, e.campaign_id FROM enrollments e
        WHERE unseen AND e.campaign_id = open.campaign AND e.status = 'active' AND e.dial_rank = 2
          AND e.look_at IS NOT NULL AND e.look_at <= clock.now
        ORDER BY e.look_at, e.id
        LIMIT most
        FOR UPDATE OF e SKIP LOCKED) d
      WHERE NOT EXISTS (SELECT FROM campaign_versions v WHERE v.campaign_id = open.campaign AND v.migrates_to IS NOT NULL)
    )
    SELECT coalesce(string_agg(DISTINCT t.team_id::text, ','), ''),
      coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'teamId', t.team_id)), '[]')
    FROM taken t; END
$$;
