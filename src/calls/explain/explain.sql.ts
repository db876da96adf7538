import { type Statement } from '../../database/transactions.js';
import { agentColumns, type AgentFactsRow } from '../../dialing/claim/agent-facts.sql.js';

/**
 * What a claim would need to know of the agent and the contact; `contact_id` is null for a number without a
 * contact.
 */
export interface ScriptRow extends Omit<AgentFactsRow, 'contact_id' | 'contact_custom_properties'> {
  contact_id: string | null;
  contact_timezone: string | null;
  contact_custom_properties: Record<string, unknown> | null;
}

/** @param team SQL: joins the team `t` of the agent `a`, if it is that of $1. */
const scriptOf = (name: string, team: string): Statement => ({
  name,
  text: `
    SELECT t.id AS team_id, c.id AS contact_id, $3::text AS phone_number, c.timezone AS contact_timezone,
      ${agentColumns('$4::uuid', 'a.id')}
    FROM voice_agents a
    ${team}
    LEFT JOIN contacts c ON c.team_id = t.id AND c.phone_number = $3
    WHERE a.id = $2 AND a.deleted_at IS NULL`,
});

/** $1 SHA-256 of the API key, $2 agent, $3 number, $4 the request's `numberPoolId` or null. */
export const EXPLAIN_SCRIPT = scriptOf(
  'explain_script',
  `JOIN api_keys k ON k.key_hash = $1 AND key_is_live(k.revoked_at, k.expires_at) AND k.team_id = a.team_id
    JOIN teams t ON t.id = k.team_id`,
);

/** {@link EXPLAIN_SCRIPT} with a team instead of a key as $1. */
export const EXPLAIN_SCRIPT_OF_TEAM = scriptOf(
  'explain_script_of_team',
  'JOIN teams t ON t.id = $1 AND t.id = a.team_id',
);

/** A dry run stores nothing. */
export const READ_ONLY: Statement = { name: 'read_only', text: 'SET TRANSACTION READ ONLY' };
