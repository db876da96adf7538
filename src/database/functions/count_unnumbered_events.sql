-- Events that have no number yet, 10,000 at most, and the age in seconds of the oldest of them; 0 where there
-- is none.
CREATE OR REPLACE FUNCTION count_unnumbered_events()
  RETURNS TABLE(events integer, seconds float8)
  LANGUAGE sql
  STABLE SECURITY DEFINER
  SET search_path = public, pg_temp
AS $$
    SELECT count(*)::integer, coalesce(greatest(0, extract(epoch FROM outdial_now() - min(u.at))), 0)::float8
    FROM (
      SELECT e.at FROM event_gaps g
      CROSS JOIN LATERAL (
        SELECT e.at FROM events e WHERE e.position BETWEEN g.first AND g.last ORDER BY e.position LIMIT 10000) e
      LIMIT 10000) u
$$;

REVOKE EXECUTE ON FUNCTION count_unnumbered_events FROM PUBLIC;
GRANT EXECUTE ON FUNCTION count_unnumbered_events TO outdial_app;
