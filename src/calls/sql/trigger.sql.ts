import { type CallerIdFacts } from '../../domain/caller-id.js';
import { type Statement } from '../../database/transactions.js';
import { countCalls, monthOf } from './plan.sql.js';
import { CLOCK, numberUsable, sharedColumns, type SharedFactsRow } from './facts.sql.js';

/** Who asks for which agent; one row always. */
export interface AccessRow {
  agent_found: boolean;
  /** null: the key is unknown, revoked, or of another team than the agent. */
  team_id: string | null;
  default_country: string | null;
}

/** Also for an agent of another team, whose row cannot be seen: the function is asked only where no row was found. */
const AGENT_FOUND = 'a.id IS NOT NULL OR agent_exists($2) AS agent_found';

/** For requests that are refused before their facts matter. $1 SHA-256 of the API key, $2 agent. */
export const ACCESS: Statement = {
  name: 'trigger_access',
  text: `
    SELECT ${AGENT_FOUND}, t.id AS team_id, t.default_country
    FROM (SELECT) one
    LEFT JOIN voice_agents a ON a.id = $2
    LEFT JOIN api_keys k ON k.key_hash = $1 AND k.revoked_at IS NULL AND k.team_id = a.team_id
    LEFT JOIN teams t ON t.id = k.team_id`,
};

export interface TriggerFactsRow extends AccessRow, SharedFactsRow {
  request_pool_known: boolean;
  request_pool_usable: boolean;
  from_number_usable: boolean;
  agent_number_pool_id: string | null;
  agent_pool_usable: boolean;
  agent_phone_number: string | null;
  agent_number_usable: boolean;
  /** null: the default one. */
  carrier: string | null;
}

/** $1 SHA-256 of the API key, $2 agent, $3 number, $4 `fromPhoneNumber` or null, $5 `numberPoolId` or null. */
export const TRIGGER_FACTS: Statement = {
  name: 'trigger_facts',
  text: `
    WITH ${CLOCK}
    SELECT
      ${AGENT_FOUND}, t.id AS team_id, t.default_country,
      EXISTS (SELECT FROM number_pools p WHERE p.team_id = t.id AND p.id = $5) AS request_pool_known,
      ${poolUsable('$5')} AS request_pool_usable,
      ${numberUsable('$4')} AS from_number_usable,
      a.carrier, a.number_pool_id AS agent_number_pool_id,
      ${poolUsable('a.number_pool_id')} AS agent_pool_usable,
      a.outbound_phone_number AS agent_phone_number,
      ${numberUsable('a.outbound_phone_number')} AS agent_number_usable,
      ${sharedColumns('$3', 'true', 'true')}
    FROM clock
    LEFT JOIN voice_agents a ON a.id = $2
    LEFT JOIN api_keys k ON k.key_hash = $1 AND k.revoked_at IS NULL AND k.team_id = a.team_id
    LEFT JOIN teams t ON t.id = k.team_id
    LEFT JOIN contacts c ON c.team_id = t.id AND c.phone_number = $3`,
};

function poolUsable(pool: string): string {
  return `EXISTS (SELECT FROM number_pool_members m
        JOIN phone_numbers n ON n.team_id = m.team_id AND n.phone_number = m.phone_number
        WHERE m.team_id = t.id AND m.number_pool_id = ${pool} AND n.active AND n.outbound_enabled)`;
}

export function callerIdFactsOf(
  row: TriggerFactsRow,
  request: { fromPhoneNumber: string | null; numberPoolId: string | null },
): CallerIdFacts {
  return {
    requestPool:
      request.numberPoolId === null
        ? null
        : { known: row.request_pool_known, usable: row.request_pool_usable },
    fromNumber: request.fromPhoneNumber === null ? null : { usable: row.from_number_usable },
    agentPool: row.agent_number_pool_id === null ? null : { usable: row.agent_pool_usable },
    agentNumber: row.agent_phone_number === null ? null : { usable: row.agent_number_usable },
  };
}

/**
 * Upserts the contact and stores the call request beside it.
 *
 * $1 team, $2 number, $3–$7 name, e-mail, company name, company website, time zone (null: not sent), $8 id,
 * $9 agent, $10 status, $11 reason, $12 request's time zone, $13 `fromPhoneNumber`, $14 `numberPoolId`,
 * $15 variables, $16 accepted at, $17 runs at, $18 expires at, $19 whether it counts against the plan now,
 * $20 whether the team's plan has a limit, $21 ended at, $22 history, $23 decisions.
 */
export const STORE_CALL: Statement = {
  name: 'store_call',
  text: `
    WITH contact AS (
      INSERT INTO contacts AS c (team_id, phone_number, name, email, company_name, company_website, timezone)
      VALUES ($1, $2, $3, $4, $5, $6, $7)
      ON CONFLICT (team_id, phone_number) DO UPDATE SET
        name = coalesce(excluded.name, c.name),
        email = coalesce(excluded.email, c.email),
        company_name = coalesce(excluded.company_name, c.company_name),
        company_website = coalesce(excluded.company_website, c.company_website),
        timezone = coalesce(excluded.timezone, c.timezone),
        updated_at = now()
      RETURNING id
    ), counted AS (
      ${countCalls(`SELECT $1::uuid, ${monthOf('$16')}, 1 WHERE $19 AND $20`)}
    )
    INSERT INTO call_requests (
      id, team_id, agent_id, contact_id, phone_number, status, reason, timezone, from_phone_number, number_pool_id,
      variables, accepted_at, runs_at, expires_at, woken_at, counted_month, ended_at, history, decisions)
    SELECT $8, $1, $9, contact.id, $2, $10, $11, $12, $13, $14,
      $15, $16, $17, $18, $16,
      CASE WHEN $19 THEN ${monthOf('$16')} END, $21, $22, $23
    FROM contact`,
};
