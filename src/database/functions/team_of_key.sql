CREATE OR REPLACE FUNCTION team_of_key(hash bytea)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ BEGIN RETURN (SELECT k.team_id FROM api_keys k WHERE k.key_hash = hash AND k.revoked_at IS NULL); END $function$;

REVOKE EXECUTE ON FUNCTION team_of_key FROM PUBLIC;
GRANT EXECUTE ON FUNCTION team_of_key TO outdial_app;
