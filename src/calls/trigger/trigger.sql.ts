import { type CallState, type HistoryEntry } from '../../domain/call-states.js';
import { TRIGGER_FIELD_COLUMNS, type TriggerFieldRow } from '../../domain/contact-fields.js';
import { type Decision } from '../../domain/guardrails/guardrails.js';
import { type Statement } from '../../database/transactions.js';
import { storingAnswer } from '../../idempotency/idempotency.sql.js';
import { contactOf, hasAllColumns, mergeColumns } from '../../contacts/sql/merge.sql.js';
import { countCalls, monthOf } from '../../dialing/facts/plan.sql.js';
import {
  CALL_CLOCK,
  CLOCK,
  exists,
  joinForms,
  numberUsable,
  sharedColumns,
  type SharedFactsRow,
} from '../../dialing/facts/facts.sql.js';

/** The agent that a request names, and the team of the request's key. There is always one row. */
export interface AccessRow {
  agent_found: boolean;
  /** null: the key is unknown, revoked, expired, or of another team than the agent. */
  team_id: string | null;
  default_country: string | null;
  accept_unknown_ranges: boolean | null;
}

/**
 * SQL: whether the agent exists, also in another team, whose rows are not visible. The function runs only if
 * no row was found.
 */
const agentFound = (agent: string) => `a.id IS NOT NULL OR agent_exists(${agent}) AS agent_found`;

/** For requests that are checked before their facts are read. $1 SHA-256 of the API key, $2 agent. */
export const ACCESS: Statement = {
  name: 'trigger_access',
  text: `
    SELECT ${agentFound('$2')}, t.id AS team_id, t.default_country, t.accept_unknown_ranges
    FROM (SELECT) one
    LEFT JOIN voice_agents a ON a.id = $2 AND a.deleted_at IS NULL
    LEFT JOIN api_keys k ON k.key_hash = $1 AND key_is_live(k.revoked_at, k.expires_at) AND k.team_id = a.team_id
    LEFT JOIN teams t ON t.id = k.team_id`,
};

export interface TriggerFactsRow extends Omit<AccessRow, 'accept_unknown_ranges'>, SharedFactsRow {
  /** The id of the call that may be stored. */
  new_call_id: string;
  request_pool_known: boolean;
  request_pool_usable: boolean;
  from_number_usable: boolean;
  agent_number_pool_id: string | null;
  agent_pool_usable: boolean;
  agent_phone_number: string | null;
  agent_number_usable: boolean;
  /** null: the default carrier. */
  carrier: string | null;
}

/** How the team of a request is found from what `caller` has. */
interface CallerOfFacts {
  /** Of `caller`, in SQL. */
  type: 'bytea' | 'uuid';
  /** SQL: joins the team `t`, if the agent `a` is the team's. */
  team: string;
}

const BY_KEY: CallerOfFacts = {
  type: 'bytea',
  team: `LEFT JOIN api_keys k ON k.key_hash = q.caller AND key_is_live(k.revoked_at, k.expires_at) AND k.team_id = a.team_id
    LEFT JOIN teams t ON t.id = k.team_id`,
};

/**
 * A row for each request, in the order of the requests. $1 SHA-256 of their API keys, $2 agents, $3 numbers,
 * $4 each `fromPhoneNumber` or null, $5 each `numberPoolId` or null.
 */
export const TRIGGER_FACTS = factsOf('trigger_facts', CALL_CLOCK, 'new_call_id(clock.now)');

/** The same facts for a request that stores nothing, and therefore needs no id and no partition. */
export const EXPLAIN_FACTS = factsOf('explain_facts', CLOCK, 'NULL::uuid');

/** {@link EXPLAIN_FACTS} without a key: $1 is the team of each request. */
export const EXPLAIN_FACTS_OF_TEAM = factsOf('explain_facts_of_team', CLOCK, 'NULL::uuid', {
  type: 'uuid',
  team: 'LEFT JOIN teams t ON t.id = q.caller AND t.id = a.team_id',
});

function factsOf(name: string, clock: string, newCallId: string, caller = BY_KEY): Statement {
  return {
    name,
    text: `
    WITH ${clock}
    SELECT
      ${newCallId} AS new_call_id, ${agentFound('q.agent_id')}, t.id AS team_id, t.default_country,
      ${exists('number_pools p WHERE p.team_id = t.id AND p.id = q.pool_id')} AS request_pool_known,
      ${poolUsable('q.pool_id')} AS request_pool_usable,
      ${numberUsable('q.from_number')} AS from_number_usable,
      a.carrier, a.number_pool_id AS agent_number_pool_id,
      ${poolUsable('a.number_pool_id')} AS agent_pool_usable,
      a.outbound_phone_number AS agent_phone_number,
      ${numberUsable('a.outbound_phone_number')} AS agent_number_usable,
      ${sharedColumns('q.phone_number', 'NULL', 'true', 'true')}
    FROM clock
    CROSS JOIN unnest($1::${caller.type}[], $2::uuid[], $3::text[], $4::text[], $5::uuid[])
      WITH ORDINALITY AS q (caller, agent_id, phone_number, from_number, pool_id, n)
    ${joinForms('q.phone_number')}
    LEFT JOIN voice_agents a ON a.id = q.agent_id AND a.deleted_at IS NULL
    ${caller.team}
    LEFT JOIN contacts c ON c.team_id = t.id AND c.phone_number = q.phone_number
    ORDER BY q.n`,
  };
}

function poolUsable(pool: string): string {
  return exists(`number_pool_members m
        JOIN phone_numbers n ON n.team_id = m.team_id AND n.phone_number = m.phone_number
        WHERE m.team_id = t.id AND m.number_pool_id = ${pool} AND n.active AND n.outbound_enabled`);
}

/** A call to store, with the contact's fields from its request. A field that was not sent is null. */
export interface NewCall extends TriggerFieldRow {
  id: string;
  team_id: string | null;
  agent_id: string;
  phone_number: string;
  /** The time zone of the request itself. */
  request_timezone: string | null;
  status: CallState;
  reason: string | null;
  from_phone_number: string | null;
  number_pool_id: string | null;
  variables: Record<string, unknown>;
  accepted_at: Date;
  runs_at: Date;
  expires_at: Date;
  not_before: Date | null;
  not_after: Date | null;
  ended_at: Date | null;
  /** Whether the call counts against the plan now. */
  counts: boolean;
  /** Whether the team's plan has a limit. */
  limited: boolean;
  history: HistoryEntry[];
  decisions: Decision[];
  phase: number;
}

const FIELDS = TRIGGER_FIELD_COLUMNS.join(', ');

/**
 * Upserts contacts and stores their calls. $1 an array of {@link NewCall} as JSON, at most one for each number
 * of a team. Returns a
 * {@link StoredCallRow} for each call.
 */
export const STORE_CALLS: Statement = {
  name: 'store_calls',
  text: `
    WITH new AS MATERIALIZED (
      SELECT q.*, c.id AS known_contact_id, ${hasAllColumns(TRIGGER_FIELD_COLUMNS, 'q', 'c')} AS contact_unchanged
      FROM json_to_recordset($1) AS q (
        id uuid, team_id uuid, agent_id uuid, phone_number text,
        ${TRIGGER_FIELD_COLUMNS.map((column) => `${column} text`).join(', ')}, request_timezone text,
        status text, reason text, from_phone_number text, number_pool_id uuid, variables jsonb,
        accepted_at timestamptz, runs_at timestamptz, expires_at timestamptz,
        not_before timestamptz, not_after timestamptz, ended_at timestamptz,
        counts boolean, limited boolean, history jsonb, decisions jsonb, phase smallint)
      LEFT JOIN LATERAL (
        ${contactOf('q.team_id', 'q.phone_number')}) c ON true
    ), contact AS (
      INSERT INTO contacts AS c (team_id, phone_number, ${FIELDS})
      SELECT team_id, phone_number, ${FIELDS} FROM new
      WHERE NOT contact_unchanged
      ORDER BY phone_number
      ON CONFLICT (team_id, phone_number) DO UPDATE SET
        ${mergeColumns(TRIGGER_FIELD_COLUMNS, 'excluded', 'c')},
        updated_at = now()
      RETURNING team_id, phone_number, id
    ), counted AS (
      ${countCalls(`
        SELECT team_id, ${monthOf('accepted_at')}, count(*)::integer FROM new WHERE counts AND limited GROUP BY 1, 2`)}
    ), kept AS (
      -- Generation -1 is before all claims. A refused call is never written again, so its decision stays in
      -- its own row.
      INSERT INTO call_details (id, generation, team_id, decision)
      SELECT id, -1, team_id, decisions -> 0 FROM new WHERE status <> 'blocked' AND decisions -> 0 IS NOT NULL
    )
    INSERT INTO call_requests (
      id, team_id, agent_id, contact_id, phone_number, status, reason, timezone, from_phone_number, number_pool_id,
      variables, accepted_at, runs_at, expires_at, not_before, not_after, woken_at, counted_month, ended_at, history, decisions, phase)
    SELECT new.id, new.team_id, agent_id, coalesce(contact.id, known_contact_id), new.phone_number, status, reason, request_timezone, from_phone_number, number_pool_id,
      variables, accepted_at, runs_at, expires_at, not_before, not_after, accepted_at,
      CASE WHEN counts THEN ${monthOf('accepted_at')} END, ended_at, history,
      CASE WHEN status = 'blocked' THEN decisions ELSE '[]' END, phase
    FROM new LEFT JOIN contact ON contact.team_id = new.team_id AND contact.phone_number = new.phone_number
    RETURNING id, contact_id`,
};

export interface StoredCallRow {
  id: string;
  contact_id: string;
}

/**
 * Stores the answer about a call that {@link STORE_CALLS} has stored in the same transaction. The statement
 * inserts the id of the call's contact into the body. $1 to $5 as of `STORE_ANSWER`, $6 the placeholder of
 * this id in the body, $7 call.
 */
export const STORE_CALL_ANSWER = storingAnswer(
  'store_idempotent_answer_of_call',
  'replace($5::text, $6, (SELECT r.contact_id::text FROM call_requests r WHERE r.id = $7))::json',
);
