-- Returns the team of a call, for transactions that begin with the id of a call.
CREATE OR REPLACE FUNCTION team_of_call(call_id uuid)
  RETURNS uuid
  LANGUAGE plpgsql
  STABLE SECURITY DEFINER
AS $$ BEGIN RETURN (SELECT r.team_id FROM call_requests r WHERE r.id = call_id); END $$;
