-- How many agents have a zone that is not among `known` (in lower case), and how much is held because of such a
-- zone: due pending calls, enrollments, and the contacts of both whose own zone it is. Counts at most 10,000 of
-- the calls that are due for the longest time, and of the enrollments.
CREATE OR REPLACE FUNCTION count_unknown_zones(known text[])
  RETURNS TABLE(agents integer, contacts integer, calls integer, enrollments integer)
  LANGUAGE sql
  STABLE SECURITY DEFINER
AS $$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    held_calls AS MATERIALIZED (
      SELECT c.id AS contact_id, r.timezone IS NULL AND c.timezone IS NOT NULL AS own
      FROM (
        SELECT r.team_id, r.contact_id, r.agent_id, r.timezone FROM call_requests r
        WHERE r.phase <= 0 AND (r.waiting_since IS NULL OR r.line_offered_at IS NOT NULL)
          AND r.runs_at <= (SELECT now FROM clock) AND r.expires_at > (SELECT now FROM clock)
        ORDER BY r.runs_at, r.id
        LIMIT 10000) r
      JOIN contacts c ON c.team_id = r.team_id AND c.id = r.contact_id
      JOIN voice_agents a ON a.team_id = r.team_id AND a.id = r.agent_id
      WHERE lower(coalesce(r.timezone, c.timezone, a.timezone)) <> ALL(known)
    ), held_enrollments AS MATERIALIZED (
      SELECT c.id AS contact_id, c.timezone IS NOT NULL AS own
      FROM campaigns p CROSS JOIN LATERAL (
        SELECT e.team_id, e.contact_id FROM enrollments e
        WHERE e.campaign_id = p.id AND e.waiting_for = 'zone'
        ORDER BY e.created_at
        LIMIT 10000) e
      JOIN contacts c ON c.team_id = e.team_id AND c.id = e.contact_id
      LIMIT 10000
    )
    SELECT
      (SELECT count(*)::integer FROM voice_agents a WHERE a.deleted_at IS NULL AND lower(a.timezone) <> ALL(known)),
      (SELECT count(*)::integer FROM (
        SELECT contact_id FROM held_calls WHERE own UNION SELECT contact_id FROM held_enrollments WHERE own) held),
      (SELECT count(*)::integer FROM held_calls),
      (SELECT count(*)::integer FROM held_enrollments)
$$;
