import { type CallState, phaseOf } from '../../domain/call-states.js';
import { type Statement } from '../../database/transactions.js';
import { hasDetailsApart } from '../../dialing/facts/details.sql.js';
import { activeCalls } from '../../dialing/concurrency-slots/concurrency-slots.sql.js';
import { agentColumns, type AgentFactsRow } from '../../dialing/claim/agent-facts.sql.js';
import {
  callOf,
  CLOCK,
  isPendingCall,
  joinForms,
  MONTH_OF_NOW,
  numberUsable,
  sharedColumns,
  type SharedFactsRow,
} from '../../dialing/facts/facts.sql.js';

export interface FireFactsRow extends SharedFactsRow, AgentFactsRow {
  id: string;
  status: CallState;
  generation: number;
  accepted_at: Date;
  runs_at: Date;
  first_runs_at: Date;
  expires_at: Date;
  not_after: Date | null;
  paused: boolean;
  /** The version of the zone data in force. */
  zone_data_version: string | null;
  request_timezone: string | null;
  variables: Record<string, unknown>;
  counted_this_month: boolean;
  from_phone_number: string | null;
  from_number_usable: boolean;
  request_number_pool_id: string | null;
  max_concurrent_calls: number | null;
  /** null: the team has no limit of active calls. */
  active_calls: number | null;
  older_waiting: number | null;
  waiting: boolean;
}

/**
 * All facts for the firing of the calls $1; no row for an unknown call. $2 is how long a call may last in ms.
 */
export const FIRE_FACTS: Statement = {
  name: 'fire_facts',
  text: `
    WITH ${CLOCK}
    SELECT
      r.id, r.team_id, r.contact_id, r.phone_number, r.status, r.generation, r.accepted_at, r.runs_at, r.expires_at, r.not_after,
      coalesce(r.first_runs_at, r.runs_at) AS first_runs_at,
      t.paused OR s.paused AS paused, s.zone_data_version, r.timezone AS request_timezone, r.variables,
      r.counted_month IS NOT DISTINCT FROM ${MONTH_OF_NOW} AS counted_this_month,
      r.from_phone_number, ${numberUsable('r.from_phone_number')} AS from_number_usable,
      r.number_pool_id AS request_number_pool_id, ${agentColumns('r.number_pool_id', 'r.id')},
      t.max_concurrent_calls, r.waiting_since IS NOT NULL AS waiting,
      CASE WHEN t.max_concurrent_calls IS NOT NULL THEN ${activeCalls('t.id', '$2::float8')} END AS active_calls,
      CASE WHEN t.max_concurrent_calls IS NOT NULL THEN
        (SELECT count(*)::integer FROM (
          SELECT FROM call_requests w
          WHERE w.team_id = t.id AND ${isPendingCall('w')} AND w.waiting_since IS NOT NULL
            AND (w.runs_at, w.id) < (r.runs_at, r.id)
          LIMIT t.max_concurrent_calls) older) END AS older_waiting,
      ${sharedColumns('r.phone_number', 't.max_concurrent_calls', 'o.id <> r.id', '(o.accepted_at, o.id) < (r.accepted_at, r.id)')}
    FROM clock
    CROSS JOIN unnest($1::uuid[]) AS asked (id)
    CROSS JOIN LATERAL (${callOf('asked.id')}) r
    ${joinForms('r.phone_number')}
    JOIN voice_agents a ON a.team_id = r.team_id AND a.id = r.agent_id
    JOIN teams t ON t.id = r.team_id
    JOIN contacts c ON c.team_id = r.team_id AND c.id = r.contact_id
    CROSS JOIN platform_settings s`,
};

/*
 * Statements for calls with given ids take `PENDING_STATES` as a parameter. If the states were in their text,
 * Postgres might use an index of pending calls instead of the id, and read all pending calls.
 */

/**
 * Reschedules a pending call, and returns its new generation. $1 id, $2 generation, $3 runs at, $4 expires
 * at, $5 now, $6 history entry, $7 `PENDING_STATES`, $8 the decision to keep, or null.
 */
export const RESCHEDULE: Statement = {
  name: 'reschedule',
  text: `
    WITH moved AS (
    UPDATE call_requests SET
      status = 'scheduled', phase = ${phaseOf('scheduled')}, runs_at = $3, first_runs_at = coalesce(first_runs_at, runs_at), expires_at = $4, woken_at = $5, wakes = 0, generation = generation + 1,
      waiting_since = NULL, line_offered_at = NULL,
      history = history || jsonb_set($6, '{from}', to_jsonb(status)),
      decisions = CASE WHEN $8::jsonb IS NULL OR ${hasDetailsApart('id')} THEN decisions ELSE decisions || $8::jsonb END
    WHERE id = $1 AND generation = $2 AND status = ANY($7)
    RETURNING id, generation, team_id
    ), kept AS (
      INSERT INTO call_details (id, generation, team_id, decision)
      SELECT id, $2, team_id, $8::jsonb FROM moved WHERE $8::jsonb IS NOT NULL AND ${hasDetailsApart('id')}
    )
    SELECT generation FROM moved`,
};

/**
 * A due call whose carrier is unreachable waits unclaimed and without a concurrency slot. `woken_at` is the
 * end of the wait, so that the sweeper does not wake the call earlier. $1 id, $2 generation, $3 now, $4 the
 * wait in ms, $5 `PENDING_STATES`.
 */
export const PUT_OFF: Statement = {
  name: 'put_off',
  text: `
    UPDATE call_requests SET
      woken_at = $3::timestamptz + $4::float8 * interval '1 ms', wakes = 0, waiting_since = NULL, line_offered_at = NULL
    WHERE id = $1 AND generation = $2 AND status = ANY($5)
    RETURNING id`,
};
