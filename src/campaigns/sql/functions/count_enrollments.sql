-- Records how a statement changed the counts of campaigns. It inserts new rows, so that no two transactions
-- wait for one counter. `fold_campaign_counts` adds them up.
CREATE OR REPLACE FUNCTION count_enrollments()
  RETURNS trigger
  LANGUAGE plpgsql
  SECURITY DEFINER
AS $$ BEGIN
    IF TG_OP = 'INSERT' THEN
      -- Enrolling is frequent, and a new enrollment has no calls.
      INSERT INTO campaign_count_changes (campaign_id, team_id, version_id, kind, name, n)
      SELECT e.campaign_id, e.team_id, e.version_id, CASE WHEN e.status IN ('active', 'paused') THEN 'live' ELSE 'ended' END,
        CASE WHEN e.status IN ('active', 'paused') THEN coalesce(e.waiting_for, '') ELSE coalesce(e.end_reason, 'manual') END, count(*)
      FROM after e
      GROUP BY 1, 2, 3, 4, 5;
    ELSE
      INSERT INTO campaign_count_changes (campaign_id, team_id, version_id, kind, name, n)
      SELECT campaign_id, team_id, version_id, kind, name, sum(n)
      FROM (
        SELECT e.campaign_id, e.team_id, e.version_id, c.kind, c.name, -c.n AS n
        FROM before e CROSS JOIN LATERAL enrollment_counts(e.status, e.waiting_for, e.end_reason, e.calls) c
        UNION ALL
        SELECT e.campaign_id, e.team_id, e.version_id, c.kind, c.name, c.n
        FROM after e CROSS JOIN LATERAL enrollment_counts(e.status, e.waiting_for, e.end_reason, e.calls) c) changes
      GROUP BY 1, 2, 3, 4, 5
      HAVING sum(n) <> 0;
    END IF;
    RETURN NULL;
END $$;
