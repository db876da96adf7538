-- Versions whose live enrollments are being migrated, with the version that they are migrated to.
-- `first_after` and `agent_timezone` belong to the first step, by which an enrollment without a decision
-- would have been dialed. Both are null if the version has no steps.
CREATE OR REPLACE FUNCTION find_migrating_versions()
  RETURNS TABLE(id uuid, team_id uuid, migrates_to uuid, first_after text, agent_timezone text)
  LANGUAGE sql
  STABLE SECURITY DEFINER
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
