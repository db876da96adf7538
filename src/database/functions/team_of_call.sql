-- Returns the team of a call, for transactions that begin with the id of a call.
CREATE OR REPLACE FUNCTION team_of_call(call_id uuid)
  RETURNS uuid
  LANGUAGE plpgsql
  STABLE SECURITY DEFINER
  SET search_path = public, pg_temp
AS $$ BEGIN RETURN (SELECT r.team_id FROM call_requests r WHERE r.id = call_id); END $$;

REVOKE EXECUTE ON FUNCTION team_of_call FROM PUBLIC;
GRANT EXECUTE ON FUNCTION team_of_call TO outdial_app;
