-- For the metrics: how many imports are being uploaded, and how many are running. `idle_seconds` is the
-- longest time for which a running import has not been processed. Of each team and type, only the oldest
-- running import counts, because the others wait for it. A lease that has ended shows when the upload was complete,
-- or when the last worker was stopped.
CREATE OR REPLACE FUNCTION measure_imports()
  RETURNS TABLE(staging integer, running integer, idle_seconds float8)
  LANGUAGE sql
  STABLE SECURITY DEFINER
AS $$
    WITH opened AS MATERIALIZED (
      SELECT i.team_id, i.type, i.status, i.created_at, i.id, coalesce(greatest(i.worked_at, i.leased_until), i.created_at) AS since FROM imports i WHERE i.status IN ('staging', 'running')
    ), first AS (
      SELECT DISTINCT ON (o.team_id, o.type) o.since FROM opened o
      WHERE o.status = 'running'
      ORDER BY o.team_id, o.type, o.created_at, o.id
    )
    SELECT
      (SELECT count(*)::integer FROM opened o WHERE o.status = 'staging'),
      (SELECT count(*)::integer FROM opened o WHERE o.status = 'running'),
      coalesce((SELECT greatest(0, extract(epoch FROM outdial_now() - min(f.since))) FROM first f), 0)::float8
$$;
