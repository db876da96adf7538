/**
 * Locks an agent, so that no draft that names the agent is written until the transaction ends. A transaction
 * that writes such a draft locks the agent with {@link HOLD_AGENTS}. Returns a row if the team has the agent
 * and the agent is not deleted. $1 team, $2 agent.
 */
export const LOCK_AGENT = `
  SELECT a.id FROM voice_agents a
  WHERE a.team_id = $1 AND a.id = $2 AND a.deleted_at IS NULL
  FOR NO KEY UPDATE`;

/**
 * Returns those of the given agents that the team has and that are not deleted. Locks them, so that none is
 * deleted until the transaction ends. $1 team, $2 agents.
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
 * Campaigns with a live version that names the agent. The live versions are the current version, drafts,
 * versions with live enrollments, and targets of a version migration. Archived campaigns place no calls, so
 * they are left out. $1 team, $2 agent, in lower case.
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
