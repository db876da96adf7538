-- Returns calls that are dialed or in progress, the oldest claims first, without `left_out`. For a stop of a team, or
-- of the platform if `of_team` is null.
CREATE OR REPLACE FUNCTION find_calls_under_way(of_team uuid, left_out uuid[], batch integer)
  RETURNS TABLE(id uuid, team_id uuid, in_progress boolean)
  LANGUAGE sql
  STABLE SECURITY DEFINER
AS $$
    SELECT r.id, r.team_id, r.status = 'in_progress' FROM call_requests r
    WHERE r.phase = 1 AND r.generation >= 0 AND r.status IN ('dialing', 'in_progress')
      AND (of_team IS NULL OR r.team_id = of_team) AND r.id <> ALL(left_out)
    ORDER BY r.claimed_at
    LIMIT batch
$$;
