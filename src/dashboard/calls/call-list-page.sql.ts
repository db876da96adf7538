/** An agent or a campaign to choose, with its team. */
export interface NamedRow {
  id: string;
  team_id: string;
  name: string;
}

/** The most agents or campaigns that the form offers. */
const MOST_NAMED = 200;

/** $1 team. */
export const AGENTS_OF_TEAM = `
  SELECT id, team_id, name FROM voice_agents WHERE team_id = $1 AND deleted_at IS NULL ORDER BY name, id LIMIT ${MOST_NAMED}`;
export const CAMPAIGNS_OF_TEAM = `
  SELECT id, team_id, name FROM campaigns WHERE team_id = $1 ORDER BY name, id LIMIT ${MOST_NAMED}`;

/** $1 id, $2 team or null for any team. A deleted agent is found, too, because its calls remain. */
const IS_NAMED = 'id = $1 AND ($2::uuid IS NULL OR team_id = $2)';
export const AGENT_NAMED = `SELECT id, team_id, name FROM voice_agents WHERE ${IS_NAMED}`;
export const CAMPAIGN_NAMED = `SELECT id, team_id, name FROM campaigns WHERE ${IS_NAMED}`;
