-- Pending calls are counted in an index that has their status, so that no row is read of pages that have not changed lately.
CREATE OR REPLACE FUNCTION count_open_calls()
  RETURNS TABLE(status text, calls float8)
  LANGUAGE sql
  STABLE SECURITY DEFINER
  SET search_path = public, pg_temp
AS $$
    SELECT r.status, count(*)::float8 FROM call_requests r
    WHERE r.status IN ('scheduled', 'queued') AND r.ended_at IS NULL GROUP BY r.status
    UNION ALL
    SELECT r.status, count(*)::float8 FROM call_requests r
    WHERE r.status IN ('dialing', 'in_progress', 'dial_unknown') GROUP BY r.status
$$;

REVOKE EXECUTE ON FUNCTION count_open_calls FROM PUBLIC;
GRANT EXECUTE ON FUNCTION count_open_calls TO outdial_app;
