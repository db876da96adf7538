import { type Statement } from '../../database/transactions.js';

const ISO_NOW = `to_char(clock.now AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The history entry of a move whose instant is the statement's own clock; `cause` is SQL. */
function historyEntry(to: string, cause: string): string {
  return `jsonb_build_object('at', ${ISO_NOW}, 'from', r.status, 'to', ${to}::text, 'cause', ${cause}::text)`;
}

/**
 * A move after the claim. $1 id, $2 new state, $3 states it may come from, $4 cause, $5 reason or null, $6 carrier's
 * call id or null, $7 whether the new state is final. A row comes back only where the move was made.
 */
export const MOVE: Statement = {
  name: 'move',
  text: `
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now)
    UPDATE call_requests r SET
      status = $2, reason = $5, carrier_call_id = coalesce(r.carrier_call_id, $6),
      ended_at = CASE WHEN $7 THEN clock.now END,
      history = r.history || ${historyEntry('$2', '$4')}
    FROM clock
    WHERE r.id = $1 AND r.status = ANY($3)
    RETURNING r.id`,
};

/**
 * A claimed call that certainly reached nobody ends `failed`: it is neither processed nor counted any more.
 * $1 id, $2 states it may come from, $3 cause, $4 reason.
 */
export const FAIL_UNDIALED: Statement = {
  name: 'fail_undialed',
  text: `
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    before AS (SELECT id, counted_month FROM call_requests WHERE id = $1),
    failed AS (
      UPDATE call_requests r SET
        status = 'failed', reason = $4, ended_at = clock.now, processed_at = NULL, counted_month = NULL,
        history = r.history || ${historyEntry(`'failed'`, '$3')}
      FROM clock, before
      WHERE r.id = $1 AND r.status = ANY($2)
      RETURNING r.id, r.team_id, before.counted_month
    ), uncounted AS (
      UPDATE plan_usage u SET used = greatest(u.used - 1, 0) FROM failed
      WHERE u.team_id = failed.team_id AND u.month = failed.counted_month
    )
    SELECT id FROM failed`,
};
