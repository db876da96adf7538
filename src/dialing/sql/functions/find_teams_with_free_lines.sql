-- The earlier name of `find_teams_with_free_concurrency_slots`, for processes of version 0.2.0.
CREATE OR REPLACE FUNCTION find_teams_with_free_lines(unknown_ms float8, batch integer)
  RETURNS TABLE(team_id uuid)
  LANGUAGE sql
  SECURITY DEFINER
AS $$
    SELECT team_id FROM find_teams_with_free_concurrency_slots(unknown_ms, batch)
$$;
