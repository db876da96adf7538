import { type CallCause } from '../../domain/call-causes.js';
import { ACTIVE_PHASE, type CallState, ENDED_PHASE, phaseOf } from '../../domain/call-states.js';
import { type Statement } from '../../database/transactions.js';
import { REFUSAL_OUTCOMES } from '../../domain/refused-by.js';
import { historyEntry, variablesOf } from '../facts/details.sql.js';
import { forgetWhatIsSaid, IS_ERASED } from './erase.sql.js';
import { releaseUsage } from '../facts/plan.sql.js';

const ISO_NOW = `to_char(clock.now AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** SQL: the outcome of a failed call whose reason tells who refused it; else null. */
const refusedBy = (call: string) =>
  `CASE WHEN ${call}.status = 'failed' AND ${call}.reason IN (${REFUSAL_OUTCOMES.map((name) => `'${name}'`).join(', ')}) THEN ${call}.reason END`;

/**
 * SQL: records a transition of campaigns' calls on their enrollments, at the instant of the statement's
 * relation `clock`. It adds an entry to the timeline and has live enrollments settled at once. The
 * repeatable function `mark_unknown` does the same.
 *
 * @param changed a relation with a row for each call: `id`, `enrollment_id` (null for a triggered call), the
 *   new `status` and its `reason`.
 */
function recordOnEnrollments(changed: string): string {
  return `UPDATE enrollments e SET
        calls = count_call(e.calls, m.came_from, coalesce(${refusedBy('m')}, m.status), m.processed),
        look_at = CASE WHEN e.status IN ('active', 'paused') THEN clock.now ELSE e.look_at END,
        settle_at = CASE WHEN e.status IN ('active', 'paused') THEN '-infinity' ELSE e.settle_at END,
        -- Parentheses: || is left-associative, and an array || an object appends the object.
        timeline = e.timeline || (jsonb_build_object(
          'at', ${ISO_NOW}, 'kind', 'call', 'callRequestId', m.id, 'status', m.status)
          || CASE WHEN ${refusedBy('m')} IS NULL THEN '{}' ELSE jsonb_build_object('reason', m.reason) END)
      FROM ${changed} m, clock
      WHERE e.id = m.enrollment_id
        -- Forces the index: with wrong statistics, a join reads the whole table.
        AND e.id = ANY(ARRAY(SELECT enrollment_id FROM ${changed}))`;
}

/** A carrier's clock may be wrong, so its instants are bounded by the claim and now. */
function byOurClock(at: string): string {
  // Null stays null; `least` and `greatest` ignore nulls.
  return `CASE WHEN ${at}::timestamptz IS NOT NULL THEN least(greatest(${at}, r.claimed_at), clock.now) END`;
}

/** A call that changed its state, and whether its team's concurrency slots are limited. */
export interface ChangedRow {
  id: string;
  team_id: string;
  status: CallState;
  has_slot_limit: boolean;
  /** Whether the transition was recorded on an enrollment. */
  on_enrollment: boolean;
}

function hasConcurrencySlotLimit(call: string): string {
  return `(SELECT t.max_concurrent_calls IS NOT NULL FROM teams t WHERE t.id = ${call}.team_id) AS has_slot_limit`;
}

/** A report of a carrier, the dialer or an operator about a claimed call. */
export interface Report {
  id: string;
  to: CallState;
  /** Whether `to` is final. */
  final: boolean;
  /** The states that the call may come from. */
  from_states: readonly CallState[];
  cause: CallCause;
  reason: string | null;
  /** The reporting carrier; null: the dialer or an operator. */
  carrier: string | null;
  carrier_call_id: string | null;
  /** When the transition happened, and when the call was answered, by the carrier's clock. */
  at: Date | null;
  answered_at: Date | null;
  /** Time talked. */
  seconds: number | null;
  /** The carrier's id that the call must have. */
  only_of: string | null;
  /** The reason that the call must have. */
  of_reason: string | null;
  /** Whether the report's conversation details are stored even if the report changes no state. */
  notes: boolean;
}

const REPORTS = `json_to_recordset($1) AS q (
      id uuid, "to" text, final boolean, from_states text[], cause text, reason text, carrier text,
      carrier_call_id text, at timestamptz, answered_at timestamptz, seconds integer, only_of text, of_reason text, notes boolean)`;

/**
 * A carrier's report applies only to calls of this carrier. If the report and the call both have the
 * carrier's id of the call, the ids must be equal.
 */
const IS_REPORTERS = `(q.carrier IS NULL OR r.carrier = q.carrier
        AND (r.carrier_call_id IS NULL OR q.carrier_call_id IS NULL OR r.carrier_call_id = q.carrier_call_id))`;

/**
 * The reason of a call in `dial_unknown` that has ended, and whose outcome the carrier could not be asked for. A late
 * report of its progress changes nothing.
 */
export const UNSETTLED_END = 'outcome_pending';

/** SQL: when a call with a pending outcome ended. */
const END_OF_UNSETTLED = `CASE WHEN q.of_reason = '${UNSETTLED_END}' THEN (r.history->-1->>'at')::timestamptz END`;

/** SQL: the columns by which an enrollment counts its call `r` after a transition. */
const COUNTED_BY_ENROLLMENT = `r.history->-1->>'from' AS came_from, r.processed_at IS NOT NULL AS processed`;

/** SQL: whether the report `q` ends the call `r`, whose end was requested. A correction by an operator is none. */
const ENDS_HUNG_UP = `r.hang_up_requested_at IS NOT NULL AND q.final AND q.carrier IS NOT NULL`;

/** SQL: the state by the report `q`. A call that was hung up before an answer is `failed`. */
const REPORTED_STATE = `CASE WHEN ${ENDS_HUNG_UP} AND q.to IN ('no_answer', 'busy') THEN 'failed' ELSE q.to END`;

/**
 * Transitions after the claim. Returns a row for each call that changed its state. $1 an array of {@link
 * Report} as JSON, at most one for each call.
 */
export const APPLY_TRANSITIONS: Statement = {
  name: 'apply_transitions',
  text: `
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    changed AS (
      UPDATE call_requests r SET
        status = ${REPORTED_STATE}, phase = CASE WHEN q.final THEN ${ENDED_PHASE} ELSE ${ACTIVE_PHASE} END, reason = q.reason, carrier_call_id = coalesce(r.carrier_call_id, q.carrier_call_id),
        ended_at = CASE WHEN q.final THEN coalesce(${byOurClock('q.at')}, ${END_OF_UNSETTLED}, clock.now) END,
        answered_at = coalesce(r.answered_at, ${byOurClock('q.answered_at')}),
        duration_seconds = coalesce(q.seconds, r.duration_seconds),
        ${forgetWhatIsSaid(`q.to <> 'in_progress'`)},
        history = r.history || ${historyEntry(REPORTED_STATE, `CASE WHEN ${ENDS_HUNG_UP} THEN 'hung_up' ELSE q.cause END`)}
      FROM clock, ${REPORTS}
      WHERE r.id = q.id AND r.status = ANY(q.from_states) AND ${IS_REPORTERS} AND (q.only_of IS NULL OR r.carrier_call_id = q.only_of)
        AND (q.of_reason IS NULL OR r.reason = q.of_reason) AND (q."to" <> 'in_progress' OR r.reason IS DISTINCT FROM '${UNSETTLED_END}')
      RETURNING r.id, r.team_id, r.status, r.reason, CASE WHEN r.status <> 'in_progress' THEN r.enrollment_id END AS enrollment_id,
        ${COUNTED_BY_ENROLLMENT}
    ), recorded AS (
      ${recordOnEnrollments('changed')}
    )
    SELECT id, team_id, status, enrollment_id IS NOT NULL AS on_enrollment, ${hasConcurrencySlotLimit('changed')} FROM changed`,
};

/**
 * Stores the conversation details of reports that change no state, because reports come in any order. The
 * statement fills in only columns that are null. $1 as in {@link APPLY_TRANSITIONS}.
 */
export const NOTE_ANSWER: Statement = {
  name: 'note_answer',
  text: `
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now)
    UPDATE call_requests r SET
      answered_at = coalesce(r.answered_at, ${byOurClock('q.answered_at')}),
      duration_seconds = coalesce(r.duration_seconds, q.seconds),
      carrier_call_id = coalesce(r.carrier_call_id, q.carrier_call_id)
    FROM clock, ${REPORTS}
    WHERE r.id = q.id AND q.notes AND ${IS_REPORTERS} AND r.processed_at IS NOT NULL AND r.status NOT IN ('no_answer', 'busy')
      AND (r.status <> 'failed' OR r.hang_up_requested_at IS NULL)
      AND (q.answered_at IS NOT NULL AND r.answered_at IS NULL OR q.seconds IS NOT NULL AND r.duration_seconds IS NULL)`,
};

/**
 * The commit does not wait for the disk. If Postgres crashes within about half a second after the commit, the
 * calls keep their earlier state. They are then resolved like calls without a report. Claims, ends and
 * conversation details are never written this way.
 */
export const NEED_NOT_WAIT_FOR_DISK: Statement = {
  name: 'need_not_wait_for_disk',
  text: `SELECT set_config('synchronous_commit', 'off', true)`,
};

/**
 * Ends an undialed claimed call as `failed`. The call no longer counts as processed, and its plan usage is
 * released. $1 id, $2 states that the call may come from, $3 cause, $4 reason, $5 null, or the generation of
 * the claim of an erased call.
 */
export const FAIL_UNDIALED: Statement = {
  name: 'fail_undialed',
  text: `
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    before AS (SELECT id, counted_month FROM call_requests WHERE id = $1),
    failed AS (
      UPDATE call_requests r SET
        status = 'failed', phase = ${ENDED_PHASE}, reason = $4, ended_at = clock.now, processed_at = NULL, counted_month = NULL,
        ${forgetWhatIsSaid('true')},
        history = r.history || ${historyEntry(`'failed'`, '$3')}
      FROM clock, before
      WHERE r.id = $1 AND r.status = ANY($2) AND ($5::integer IS NULL OR r.generation = $5 AND ${IS_ERASED})
      RETURNING r.id, r.team_id, r.status, r.reason, r.enrollment_id, ${COUNTED_BY_ENROLLMENT}, before.counted_month
    ), released AS (
      ${releaseUsage('failed')}
    ), recorded AS (
      ${recordOnEnrollments('failed')}
    )
    SELECT id, team_id, status, enrollment_id IS NOT NULL AS on_enrollment, ${hasConcurrencySlotLimit('failed')} FROM failed`,
};

// Milliseconds.
const FIRST_PAUSE = 5_000;
const LONGEST_PAUSE = 300_000;

/** SQL: how often the call `r` was requeued so far. */
const REQUEUES = `jsonb_array_length(jsonb_path_query_array(r.history,
            '$[*] ? (@.cause == "carrier_throttled" || @.cause == "carrier_unreachable")'))`;

/**
 * Requeues an undialed claimed call whose carrier was unreachable or throttled it. The statement undoes the
 * claim, but keeps the plan usage for the pending call. The pause doubles with each requeue. A part that
 * differs by call is added, so that calls do not all return at once. The pause with this part is at most 5
 * minutes, unless $4 is longer. `woken_at` is the end of the pause, so that the sweeper does not wake the
 * call earlier.
 *
 * $1 id, $2 generation of the claim, $3 cause, $4 the shortest pause in ms, $5 `dialing`. Because of the
 * generation, a repetition changes nothing, even if the call has been claimed again. A campaign's call and a
 * call of an erased contact are never requeued.
 */
export const REQUEUE: Statement = {
  name: 'requeue',
  text: `
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    pause AS (
      SELECT greatest($4::float8, least(${LONGEST_PAUSE}, ${FIRST_PAUSE} * power(2, least(${REQUEUES}, 6))
        * (1 + (hashtext(r.id::text) & 255) / 1024.0::float8))) AS ms
      FROM call_requests r WHERE r.id = $1
    )
    UPDATE call_requests r SET
      status = 'queued', phase = ${phaseOf('queued')}, reason = NULL, generation = r.generation + 1, wakes = 0,
      woken_at = clock.now + pause.ms * interval '1 ms',
      variables = ${variablesOf('r', '$1')},
      claimed_at = NULL, processed_at = NULL, caller_id = NULL, prompt = NULL, first_message = NULL,
      unknown_placeholders = '{}', carrier = NULL, carrier_call_id = NULL,
      history = r.history || ${historyEntry(`'queued'`, '$3')}
    FROM clock, pause
    WHERE r.id = $1 AND r.generation = $2 AND r.status = $5 AND r.enrollment_id IS NULL AND NOT ${IS_ERASED}
    RETURNING r.id, r.generation, pause.ms AS delay_ms, r.team_id, r.status, false AS on_enrollment, ${hasConcurrencySlotLimit('r')}`,
};

/**
 * Returns a row if the call is one of the carrier's. $1 call request, $2 carrier, $3 the carrier's id of the
 * call or null.
 */
export const IS_OF_CARRIER: Statement = {
  name: 'is_of_carrier',
  text: `
    SELECT FROM call_requests r
    WHERE r.id = $1 AND r.carrier = $2
      AND (r.carrier_call_id IS NULL OR $3::text IS NULL OR r.carrier_call_id = $3)`,
};

export interface TeamOfCallRow {
  id: string;
  /** null: there is no such call. */
  team_id: string | null;
}

/** The security-definer function sees every call. $1 ids of call requests. */
export const TEAM_OF_EACH_CALL: Statement = {
  name: 'team_of_each_call',
  text: 'SELECT asked.id, team_of_call(asked.id) AS team_id FROM unnest($1::uuid[]) AS asked (id)',
};
