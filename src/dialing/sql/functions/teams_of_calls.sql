-- Returns the teams of calls, separated by commas, for the scope of a batch of firings or reports.
CREATE OR REPLACE FUNCTION teams_of_calls(ids uuid[])
  RETURNS text
  LANGUAGE plpgsql
  STABLE SECURITY DEFINER
AS $$ BEGIN RETURN (SELECT coalesce(string_agg(DISTINCT r.team_id::text, ','), '') FROM call_requests r WHERE r.id = ANY (ids)); END $$;
