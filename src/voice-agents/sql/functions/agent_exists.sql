-- Whether an agent of any team exists. The trigger's facts use it to tell another team's agent (403) from an
-- unknown one (404).
CREATE OR REPLACE FUNCTION agent_exists(agent_id uuid)
  RETURNS boolean
  LANGUAGE sql
  STABLE SECURITY DEFINER
AS $$ SELECT EXISTS (SELECT FROM voice_agents a WHERE a.id = agent_id AND a.deleted_at IS NULL) $$;
