CREATE OR REPLACE FUNCTION agent_exists(agent_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ SELECT EXISTS (SELECT FROM voice_agents a WHERE a.id = agent_id) $function$;

REVOKE EXECUTE ON FUNCTION agent_exists FROM PUBLIC;
GRANT EXECUTE ON FUNCTION agent_exists TO outdial_app;
