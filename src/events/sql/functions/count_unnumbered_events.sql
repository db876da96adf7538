-- Counts the events that have no number yet, up to 10,000. `seconds` is the age of the oldest of them, and 0
-- if there is none.
CREATE OR REPLACE FUNCTION count_unnumbered_events()
  RETURNS TABLE(events integer, seconds float8)
  LANGUAGE sql
  STABLE SECURITY DEFINER
AS $$
    SELECT count(*)::integer, coalesce(greatest(0, extract(epoch FROM outdial_now() - min(u.at))), 0)::float8
    FROM (
      SELECT e.at FROM event_gaps g
      CROSS JOIN LATERAL (
        SELECT e.at FROM events e WHERE e.position BETWEEN g.first AND g.last ORDER BY e.position LIMIT 10000) e
      LIMIT 10000) u
$$;
