import { type Statement } from '../../database/transactions.js';
import { uncountCalls } from './plan.sql.js';

const ISO_NOW = `to_char(clock.now AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The history entry of a move whose instant is the statement's own clock; `cause` is SQL. */
export function historyEntry(to: string, cause: string): string {
  return `jsonb_build_object('at', ${ISO_NOW}, 'from', r.status, 'to', ${to}::text, 'cause', ${cause}::text)`;
}

/** A carrier's clock may be wrong: nothing happens to a call before its claim, or later than now. */
function byOurClock(at: string): string {
  // Null stays null, which `least` and `greatest` would pass over.
  return `CASE WHEN ${at}::timestamptz IS NOT NULL THEN least(greatest(${at}, r.claimed_at), clock.now) END`;
}

/** Whose call was moved, and whether the number of the team's lines is limited. */
export interface MovedRow {
  team_id: string;
  has_lines: boolean;
}

function hasLines(call: string): string {
  return `(SELECT t.max_concurrent_calls IS NOT NULL FROM teams t WHERE t.id = ${call}.team_id) AS has_lines`;
}

/**
 * The commit does not wait for the disk. Should Postgres itself crash within the same half second, the call is as before:
 * under way, and resolved as one whose carrier fell silent. Claims and ends are never written so.
 */
const SOON = `set_config('synchronous_commit', 'off', true)`;

/**
 * A move after the claim. $1 id, $2 new state, $3 states it may come from, $4 cause, $5 reason or null, $6 carrier's
 * call id or null, $7 whether the new state is final, $8 when it happened by the carrier's clock or null, $9 when it was
 * answered or null, $10 seconds talked or null, $11 the carrier's id that the call must have or null. A row comes back only
 * where the move was made.
 */
export const MOVE: Statement = {
  name: 'move',
  text: `
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now)
    UPDATE call_requests r SET
      status = $2, reason = $5, carrier_call_id = coalesce(r.carrier_call_id, $6),
      ended_at = CASE WHEN $7 THEN coalesce(${byOurClock('$8')}, clock.now) END,
      answered_at = coalesce(r.answered_at, ${byOurClock('$9')}),
      duration_seconds = coalesce($10, r.duration_seconds),
      history = r.history || ${historyEntry('$2', '$4')}
    FROM clock
    WHERE r.id = $1 AND r.status = ANY($3) AND ($11::text IS NULL OR r.carrier_call_id = $11)
    RETURNING r.team_id, ${hasLines('r')}, CASE WHEN NOT $7 THEN ${SOON} END`,
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
      ${uncountCalls('failed')}
    )
    SELECT team_id, ${hasLines('failed')} FROM failed`,
};

/**
 * What a report that moves nothing still tells of a conversation, because reports come in any order. $1 id, $2 when it
 * was answered or null, $3 seconds talked or null, $4 carrier's call id or null. Only what is not known yet is taken.
 */
export const NOTE_ANSWER: Statement = {
  name: 'note_answer',
  text: `
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now)
    UPDATE call_requests r SET
      answered_at = coalesce(r.answered_at, ${byOurClock('$2')}),
      duration_seconds = coalesce(r.duration_seconds, $3),
      carrier_call_id = coalesce(r.carrier_call_id, $4)
    FROM clock
    WHERE r.id = $1 AND r.processed_at IS NOT NULL AND r.status NOT IN ('no_answer', 'busy')
      AND ($2::timestamptz IS NOT NULL AND r.answered_at IS NULL OR $3::integer IS NOT NULL AND r.duration_seconds IS NULL)
    RETURNING CASE WHEN r.ended_at IS NULL THEN ${SOON} END`,
};

/**
 * A claimed call that its carrier certainly did not dial, for reasons of rate alone, is pending again: the claim and
 * its accounting are undone, and the plan's count stays, as a pending call has it. Each time it waits twice as long,
 * some calls a little longer than others, so that they do not all come back at once. The wake-up is noted as of then,
 * so that the sweeper does not come before.
 *
 * $1 id, $2 generation of the claim, $3 the least time to wait in ms. The generation makes it harmless to write this
 * down twice: by then the call may have been claimed again.
 */
export const THROTTLE: Statement = {
  name: 'throttle',
  text: `
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    pause AS (
      SELECT greatest($3::float8, 250 * power(2, least(11,
          jsonb_array_length(jsonb_path_query_array(r.history, '$[*] ? (@.cause == "carrier_throttled")')))))
        * (1 + (hashtext(r.id::text) & 255) / 1024.0::float8) AS ms
      FROM call_requests r WHERE r.id = $1
    )
    UPDATE call_requests r SET
      status = 'queued', reason = NULL, generation = r.generation + 1, wakes = 0,
      woken_at = clock.now + pause.ms * interval '1 ms',
      claimed_at = NULL, processed_at = NULL, caller_id = NULL, prompt = NULL, first_message = NULL,
      unknown_placeholders = '{}', carrier = NULL, carrier_call_id = NULL,
      history = r.history || ${historyEntry(`'queued'`, `'carrier_throttled'`)}
    FROM clock, pause
    WHERE r.id = $1 AND r.generation = $2 AND r.status = 'dialing'
    RETURNING r.generation, pause.ms AS delay_ms, r.team_id, ${hasLines('r')}`,
};

/** A row where call $1 was given to carrier $2. */
export const IS_OF_CARRIER: Statement = {
  name: 'is_of_carrier',
  text: 'SELECT FROM call_requests WHERE id = $1 AND carrier = $2',
};
