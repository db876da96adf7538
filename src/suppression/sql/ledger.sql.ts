import { isoInstant } from '../../database/iso-instant.js';
import { exactInstant } from '../../lists/newest-first.js';
import { type Statement } from '../../database/transactions.js';

/** SQL for each column of an entry; what is left out is null. */
interface NotedEntry {
  /** A relation, with conditions. */
  from: string;
  team: string;
  number: string;
  action: string;
  scope: string;
  source: string;
  campaign?: string;
  agent?: string;
  purpose?: string;
  reason?: string;
  /** By default, now. */
  effectiveFrom?: string;
  expiresAt?: string;
}

/** SQL that adds an entry to the ledger for each row of a relation, with the actor of the transaction. */
export function noting(entry: NotedEntry): string {
  const { from, effectiveFrom = 'outdial_now()', campaign = 'NULL::uuid', agent = 'NULL::uuid' } = entry;
  const { purpose = 'NULL::text', reason = 'NULL::text', expiresAt = 'NULL::timestamptz' } = entry;
  return `INSERT INTO suppression_entries (
        team_id, phone_number, action, scope, campaign_id, agent_id, purpose, source, reason, effective_from, expires_at,
        actor_kind, actor_id, actor_name)
      SELECT ${entry.team}, noted.number, ${entry.action}, noted.scope, noted.campaign, noted.agent, noted.purpose, noted.source,
        noted.reason, noted.effective_from, noted.expires_at, actor.kind, actor.id, actor.name
      FROM (
        SELECT ${entry.number} AS number, ${entry.scope}::text AS scope, ${campaign} AS campaign, ${agent} AS agent,
          ${purpose} AS purpose, ${entry.source}::text AS source, ${reason} AS reason, ${effectiveFrom} AS effective_from,
          ${expiresAt} AS expires_at
        FROM ${from}) noted
      CROSS JOIN suppression_actor() AS actor`;
}

/** @param which SQL condition for whose entries. */
const history = (name: string, which: string): Statement => ({
  name,
  text: `
    SELECT id, action, scope, campaign_id AS "campaignId", agent_id AS "agentId", purpose, source,
      actor_kind AS "actorKind", actor_name AS "actorName", reason, ${isoInstant('effective_from')} AS "effectiveFrom",
      ${isoInstant('expires_at')} AS "expiresAt", ${isoInstant('recorded_at')} AS "recordedAt"
    FROM suppression_entries
    WHERE ${which} AND phone_number = ANY($1::text[]) AND ($2::bigint IS NULL OR id < $2)
    ORDER BY id DESC
    LIMIT $3`,
});

/**
 * The entries of a number in a team's ledger, the newest first. $1 all forms of the number, $2 id to begin after or
 * null, $3 how many, $4 team.
 */
export const SUPPRESSION_HISTORY = history('suppression_history', 'team_id = $4');

/** The same for the platform's own list, without $4. */
export const PLATFORM_SUPPRESSION_HISTORY = history('platform_suppression_history', 'team_id IS NULL');

/**
 * Entries that hold for a campaign, an agent, a purpose or a time and have not expired, the newest first. $1 team,
 * $2 instant and $3 id to begin after, $4 how many.
 */
export const LIST_LIMITED: Statement = {
  name: 'list_limited_do_not_call',
  text: `
    SELECT ${exactInstant('l.created_at')} AS at, l.id AS key, l.phone_number AS "phoneNumber", l.scope,
      l.campaign_id AS "campaignId", l.agent_id AS "agentId", l.purpose, l.reason,
      ${isoInstant('l.effective_from')} AS "effectiveFrom", ${isoInstant('l.expires_at')} AS "expiresAt",
      ${isoInstant('l.created_at')} AS "createdAt"
    FROM limited_do_not_call l
    WHERE l.team_id = $1 AND (l.created_at, l.id) < ($2::timestamptz, $3::uuid)
      AND (l.expires_at IS NULL OR l.expires_at > outdial_now())
    ORDER BY l.created_at DESC, l.id DESC
    LIMIT $4`,
};
