-- For workers of the version before, which do not know `settle_at` and `dial_rank`.
-- Takes the first due enrollments of some campaigns; `counts` has the most of each campaign. It locks their
-- rows, then their numbers, teams and campaigns, all without waiting. `lock` and `campaignLock` have the
-- modes of the team's and the campaign's locks. A mode is null if a lock was not free. The campaign's lock is
-- exclusive where its calls are counted. Further enrollments of the same number get null, because their facts
-- lack the effects of the first. `unseen`: the distance from the plan's limit within which the team's lock is
-- exclusive.
CREATE OR REPLACE FUNCTION take_due_enrollments(campaigns uuid[], counts integer[], unseen integer)
  RETURNS TABLE(teams text, taken jsonb)
  LANGUAGE plpgsql
  SECURITY DEFINER
AS $$ BEGIN RETURN QUERY
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    due AS MATERIALIZED (
      SELECT d.* FROM clock
      CROSS JOIN unnest(campaigns, counts) WITH ORDINALITY AS q (campaign, most, n)
      CROSS JOIN LATERAL (
        SELECT e.id, e.team_id, e.campaign_id, e.contact_id, e.look_at FROM enrollments e
        WHERE e.campaign_id = q.campaign AND e.status IN ('active', 'paused')
          AND e.look_at IS NOT NULL AND e.look_at <= clock.now
        ORDER BY e.look_at, e.id
        LIMIT q.most
        FOR UPDATE SKIP LOCKED) d
      -- While enrollments of the campaign are migrated to another version, none enters a step.
      WHERE NOT EXISTS (SELECT FROM campaign_versions v WHERE v.campaign_id = q.campaign AND v.migrates_to IS NOT NULL)
    ), asked AS MATERIALIZED (
      SELECT d.*, c.phone_number AS number,
        row_number() OVER (PARTITION BY d.team_id, person_number(c.phone_number) ORDER BY d.look_at, d.id) = 1 AS first_of_number,
        needs_exclusive_lock(t.id, t.monthly_call_limit, t.max_concurrent_calls, unseen) AS exclusively,
        coalesce(p.pacing->>'maxConcurrentCalls', p.pacing->>'callsPerMinute') IS NOT NULL AS counted
      FROM due d
      JOIN contacts c ON c.team_id = d.team_id AND c.id = d.contact_id
      JOIN teams t ON t.id = d.team_id
      JOIN campaigns p ON p.id = d.campaign_id
    ), locked AS MATERIALIZED (
      SELECT a.*, CASE WHEN a.first_of_number THEN try_locks(a.team_id, a.number, a.exclusively) END AS lock FROM asked a
    ), held AS MATERIALIZED (
      SELECT l.*, CASE
        WHEN l.lock IS NULL THEN NULL
        WHEN l.counted THEN CASE WHEN pg_try_advisory_xact_lock(campaign_lock_key(l.campaign_id)) THEN 'exclusive' END
        WHEN pg_try_advisory_xact_lock_shared(campaign_lock_key(l.campaign_id)) THEN 'shared'
      END AS campaign_lock
      FROM locked l
    )
    SELECT coalesce(string_agg(DISTINCT h.team_id::text, ','), ''),
      coalesce(jsonb_agg(jsonb_build_object('id', h.id, 'campaignId', h.campaign_id, 'lock', h.lock, 'campaignLock', h.campaign_lock)
        ORDER BY h.look_at, h.id), '[]')
    FROM held h; END
$$;
