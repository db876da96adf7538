import { type Statement } from '../../database/transactions.js';
import { historyEntry } from '../facts/details.sql.js';
import { ENDED_PHASE } from '../../domain/call-states.js';
import { isPendingCall } from '../facts/facts.sql.js';
import { releaseUsage } from '../facts/plan.sql.js';

/**
 * Ends a pending call undialed and releases its plan usage. $1 id, $2 generation or null for any, $3 status,
 * $4 reason, $5 now, $6 history entry, $7 decisions to append (an array), $8 `PENDING_STATES`.
 */
export const END_PENDING: Statement = {
  name: 'end_pending',
  text: `
    WITH before AS (SELECT id, team_id, counted_month FROM call_requests WHERE id = $1),
    ended AS (
      UPDATE call_requests r SET
        status = $3, phase = ${ENDED_PHASE}, reason = $4, ended_at = $5, counted_month = NULL,
        history = r.history || jsonb_set($6, '{from}', to_jsonb(r.status)), decisions = r.decisions || $7::jsonb
      FROM before
      WHERE r.id = $1 AND ($2::integer IS NULL OR r.generation = $2) AND r.status = ANY($8)
      RETURNING r.id, r.team_id, before.counted_month
    ), released AS (
      ${releaseUsage('ended')}
    )
    SELECT id FROM ended`,
};

/**
 * SQL that ends the team's pending calls that `condition` selects, and releases their plan usage. The relation
 * `ended` has the `id` and `generation` of each ended call. Rows are locked in the order of their ids, as in
 * the sweeper's expiry, which does not take the numbers' locks. $1 team.
 *
 * @param condition SQL over the columns of `call_requests`. @param status SQL for the new status. @param
 *   reason SQL. @param cause SQL.
 */
function endPendingOf(condition: string, status: string, reason: string, cause: string): string {
  return `
  WITH clock AS MATERIALIZED (SELECT date_trunc('milliseconds', outdial_now()) AS now),
  pending AS MATERIALIZED (
    SELECT id, counted_month FROM call_requests
    WHERE team_id = $1 AND ${condition} AND ${isPendingCall()}
    ORDER BY id
    FOR UPDATE
  ), ended AS (
    UPDATE call_requests r SET
      status = ${status}, phase = ${ENDED_PHASE}, reason = ${reason}, ended_at = clock.now, counted_month = NULL,
      history = r.history || ${historyEntry(status, cause)}
    FROM clock, pending
    WHERE r.id = pending.id
    RETURNING r.id, r.generation, r.team_id, pending.counted_month
  ), released AS (
    ${releaseUsage('ended')}
  )`;
}

/** The same for all pending calls to some numbers. $2 numbers. */
export function endPendingOfNumbers(status: string, reason: string, cause: string): string {
  return endPendingOf('phone_number = ANY($2::text[])', status, reason, cause);
}

/** Cancels pending calls. $1 team, $2 ids, $3 cause. The transaction holds the locks of the calls' numbers. */
export const CANCEL_PENDING: Statement = {
  name: 'cancel_pending',
  text: `${endPendingOf('id = ANY($2::uuid[])', `'canceled'`, 'NULL', '$3')}
  SELECT id, generation FROM ended`,
};

/** Ends all pending calls to some numbers as `blocked`. $1 team, $2 numbers, $3 reason, $4 cause. */
export const END_PENDING_OF_NUMBERS = `${endPendingOfNumbers(`'blocked'`, '$3', '$4')}
  SELECT count(*)::integer AS ended FROM ended`;

/** The same for the pending calls of an agent. $5 agent. */
export const END_PENDING_OF_AGENT = `${endPendingOf('phone_number = ANY($2::text[]) AND agent_id = $5', `'blocked'`, '$3', '$4')}
  SELECT count(*)::integer AS ended FROM ended`;
