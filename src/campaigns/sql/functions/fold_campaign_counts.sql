-- Adds a bounded batch of changes to the counts of campaigns; returns their number. Concurrent runs take
-- different rows, and update the counts in the same order.
CREATE OR REPLACE FUNCTION fold_campaign_counts(batch integer)
  RETURNS integer
  LANGUAGE sql
  VOLATILE SECURITY DEFINER
AS $$
    WITH taken AS (
      DELETE FROM campaign_count_changes
      WHERE ctid = ANY(ARRAY(SELECT ctid FROM campaign_count_changes LIMIT batch FOR UPDATE SKIP LOCKED))
      RETURNING campaign_id, team_id, version_id, kind, name, n
    ), folded AS (
      INSERT INTO campaign_counts (campaign_id, team_id, version_id, kind, name, n)
      SELECT campaign_id, team_id, version_id, kind, name, sum(n) FROM taken
      GROUP BY 1, 2, 3, 4, 5
      ORDER BY campaign_id, version_id, kind, name
      ON CONFLICT (campaign_id, version_id, kind, name) DO UPDATE SET n = campaign_counts.n + excluded.n
    )
    SELECT count(*)::integer FROM taken
$$;
