CREATE OR REPLACE FUNCTION team_of_key(hash bytea)
  RETURNS uuid
  LANGUAGE plpgsql
  STABLE SECURITY DEFINER
  SET search_path = public, pg_temp
AS $$ BEGIN RETURN (SELECT k.team_id FROM api_keys k WHERE k.key_hash = hash AND k.revoked_at IS NULL); END $$;

REVOKE EXECUTE ON FUNCTION team_of_key FROM PUBLIC;
GRANT EXECUTE ON FUNCTION team_of_key TO outdial_app;
