-- Counts calls that have not ended. Pending calls are counted in an index that has their phase, so that their
-- rows are not read, except on pages that changed lately.
CREATE OR REPLACE FUNCTION count_open_calls()
  RETURNS TABLE(status text, calls float8)
  LANGUAGE sql
  STABLE SECURITY DEFINER
AS $$
    SELECT CASE r.phase WHEN -1 THEN 'scheduled' ELSE 'queued' END, count(*)::float8 FROM call_requests r
    WHERE r.phase <= 0 AND r.generation >= 0 GROUP BY r.phase
    UNION ALL
    SELECT r.status, count(*)::float8 FROM call_requests r
    WHERE r.phase = 1 AND r.generation >= 0 GROUP BY r.status
$$;
