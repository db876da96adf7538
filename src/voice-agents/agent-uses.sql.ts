/**
 * Keeps drafts that name the agent from being written until the transaction ends: a transaction that writes
 * one locks it shared. A row where it is the team's and not deleted. $1 team, $2 agent.
 */
export const LOCK_AGENT = `
  SELECT a.id FROM voice_agents a
  WHERE a.team_id = $1 AND a.id = $2 AND a.deleted_at IS NULL
  FOR NO KEY UPDATE`;

/**
 * Those of the team's agents that exist, locked so that none is deleted until the transaction ends. $1 team,
 * $2 agents.
 */
export const HOLD_AGENTS = `
  SELECT a.id FROM voice_agents a
  WHERE a.team_id = $1 AND a.id = ANY($2::uuid[]) AND a.deleted_at IS NULL
  ORDER BY a.id
  FOR SHARE`;

/** $1 team, $2 agent. */
export const DELETE_AGENT = `
  UPDATE voice_agents SET deleted_at = outdial_now() WHERE team_id = $1 AND id = $2`;

/**
 * Campaigns with a live version that names the agent. Live are the current version, drafts, versions with
 * live enrollments, and targets of a version migration. Archived campaigns place no calls. $1 team, $2 agent,
 * in lower case.
 */
export const CAMPAIGNS_WITH_AGENT = `
  SELECT p.id FROM campaigns p
  WHERE p.team_id = $1 AND p.status <> 'archived' AND EXISTS (
    SELECT FROM campaign_versions v
    WHERE v.campaign_id = p.id AND v.definition_format IS NOT NULL
      AND EXISTS (
        SELECT FROM jsonb_array_elements(
          CASE WHEN jsonb_typeof(v.definition->'steps') = 'array' THEN v.definition->'steps' ELSE '[]' END) AS steps (step)
        WHERE lower(steps.step->>'agentId') = $2::text)
      AND (v.id = p.current_version_id OR v.status = 'draft'
        OR EXISTS (SELECT FROM enrollments e WHERE e.version_id = v.id AND e.status IN ('active', 'paused'))
        OR EXISTS (SELECT FROM campaign_versions m WHERE m.campaign_id = p.id AND m.migrates_to = v.id)))
  ORDER BY p.created_at, p.id`;
