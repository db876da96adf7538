-- Versions whose live enrollments are being moved: where to, whether that places calls, and by what an enrollment that was not decided yet
-- would have been dialed first.
CREATE OR REPLACE FUNCTION find_migrating_versions()
  RETURNS TABLE(id uuid, team_id uuid, migrates_to uuid, first_after text, agent_timezone text)
  LANGUAGE sql
  STABLE SECURITY DEFINER
  SET search_path = public, pg_temp
AS $$
    SELECT v.id, v.team_id, v.migrates_to,
      CASE WHEN v.definition_format IS NOT NULL AND v.definition #> '{steps,0}' IS NOT NULL
        THEN coalesce(v.definition #>> '{steps,0,after}', 'PT0S') END,
      (SELECT a.timezone FROM voice_agents a
        WHERE a.team_id = v.team_id AND a.id::text = lower(v.definition #>> '{steps,0,agentId}'))
    FROM campaign_versions v
    WHERE v.migrates_to IS NOT NULL
    ORDER BY v.id
$$;

REVOKE EXECUTE ON FUNCTION find_migrating_versions FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_migrating_versions TO outdial_app;
