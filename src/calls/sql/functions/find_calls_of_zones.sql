-- Returns a page of the pending calls that are due later, after a position in the order of `runs_at`. `zone` is
-- null, and so is its schedule, for a call whose zone is not among `zones` (in lower case), or whose opening was
-- computed at `decided_before` or later: its last transition says when.
CREATE OR REPLACE FUNCTION find_calls_of_zones(
  zones text[], decided_before timestamptz, after_runs_at timestamptz, after_id uuid, batch integer)
  RETURNS TABLE(id uuid, generation integer, team_id uuid, accepted_at timestamptz, runs_at timestamptz,
    first_runs_at timestamptz, not_before timestamptz, not_after timestamptz, zone text, calling_hours jsonb, closed_dates text[])
  LANGUAGE sql
  STABLE SECURITY DEFINER
AS $$
    SELECT r.id, r.generation, r.team_id, r.accepted_at, r.runs_at, coalesce(r.first_runs_at, r.runs_at), r.not_before, r.not_after,
      found.zone, CASE WHEN found.zone IS NOT NULL THEN a.calling_hours END,
      CASE WHEN found.zone IS NOT NULL THEN a.closed_dates::text[] END
    FROM (
      SELECT * FROM call_requests r
      WHERE r.phase <= 0 AND (r.waiting_since IS NULL OR r.line_offered_at IS NOT NULL)
        AND (r.runs_at, r.id) > (greatest(after_runs_at, outdial_now()), after_id)
      ORDER BY r.runs_at, r.id
      LIMIT batch) r
    JOIN voice_agents a ON a.team_id = r.team_id AND a.id = r.agent_id
    JOIN contacts c ON c.team_id = r.team_id AND c.id = r.contact_id
    CROSS JOIN LATERAL (SELECT coalesce(r.timezone, c.timezone, a.timezone) AS name) stated
    CROSS JOIN LATERAL (
      SELECT CASE WHEN r.status = 'scheduled' AND lower(stated.name) = ANY(zones)
        AND (r.history->-1->>'at')::timestamptz < date_trunc('milliseconds', decided_before) THEN stated.name END AS zone) found
    ORDER BY r.runs_at, r.id
$$;
