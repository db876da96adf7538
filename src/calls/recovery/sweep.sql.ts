import { type Statement } from '../../database/transactions.js';
import { historyEntry } from '../../dialing/facts/details.sql.js';
import { ENDED_PHASE } from '../../domain/call-states.js';
import { releaseUsage } from '../../dialing/facts/plan.sql.js';

/*
 * The sweeper's queries. Those that cross teams are security-definer functions in the `sql/functions` of their rooms.
 * Each query about calls has a bounded batch. Most of the statements that change calls skip rows that another
 * process has locked. A later run changes those rows.
 */

/**
 * Calls that have been due for at least the grace, in the order of their due times, after a cursor.
 * `overdue`: the wake-up is older than the grace, and the call is neither paused nor expired. `backed_off`:
 * the wake-up is older than a longer grace. Each wake-up in vain doubles this grace, up to six times.
 * `overlong`: the wake-up is older than 360 times the grace. $1 grace in ms, $2 and $3 runs_at and id to
 * begin after, $4 batch size.
 */
export const FIND_UNWOKEN: Statement = {
  name: 'find_unwoken',
  text: `
    SELECT id, generation, team_id, runs_at::text AS runs_at, overdue, backed_off, overlong
    FROM find_unwoken($1, $2, $3, $4)`,
};

/**
 * Records a further wake-up of calls, with a new generation for each. $1 ids, $2 the generations at which the
 * calls were found, $3 whether the last wake-up was in vain.
 */
export const WAKE_AGAIN: Statement = {
  name: 'wake_again',
  text: 'SELECT id, generation, team_id FROM wake_again($1, $2, $3)',
};

/**
 * Pending calls that do not wait for a concurrency slot, in the order of their due times. `due_in_ms` is null
 * for a call that needs no job now, because its wake-up would have no effect. $1 and $2 runs_at and id to
 * begin after, $3 batch size.
 */
export const FIND_WAKE_UPS: Statement = {
  name: 'find_wake_ups',
  text: 'SELECT id, generation, team_id, runs_at::text AS runs_at, due_in_ms FROM find_wake_ups($1, $2, $3)',
};

/**
 * Pending calls past their expiry, the oldest first. $1 and $2 expires_at and id to begin after, $3 batch
 * size.
 */
export const FIND_EXPIRED: Statement = {
  name: 'find_expired_behind',
  text: 'SELECT id, team_id, expires_at::text AS expires_at FROM find_expired_behind($1, $2, $3)',
};

/**
 * Ends pending calls past their expiry and releases their plan usage. The number's lock is not needed,
 * because no rule about a number counts an expired call. A pending row is changed either by this statement or
 * by a claim, never by both. $1 ids, $2 teams whose lock is held, $3 `PENDING_STATES`.
 */
export const EXPIRE_CALLS: Statement = {
  name: 'expire_calls',
  text: `
    WITH clock AS MATERIALIZED (SELECT date_trunc('milliseconds', outdial_now()) AS now),
    due AS MATERIALIZED (
      SELECT r.id, r.counted_month FROM call_requests r CROSS JOIN clock
      WHERE r.id = ANY($1::uuid[]) AND r.team_id = ANY($2::uuid[]) AND r.status = ANY($3) AND r.expires_at <= clock.now
      ORDER BY r.id
      FOR UPDATE OF r SKIP LOCKED
    ), ended AS (
      UPDATE call_requests r SET
        status = 'expired', phase = ${ENDED_PHASE}, reason = NULL, ended_at = clock.now, counted_month = NULL,
        history = r.history || ${historyEntry(`'expired'`, `'expired'`)}
      FROM clock, due
      WHERE r.id = due.id
      RETURNING r.id, r.team_id, due.counted_month
    ), released AS (
      ${releaseUsage('ended')}
    )
    SELECT id FROM ended`,
};

/**
 * Marks a call as `dial_unknown` if it is in `dialing` or `in_progress` for too long. $1 the longest time
 * from the claim in `dialing`, in ms, $2 the longest time from the claim in `in_progress`, in ms, $3 batch
 * size.
 */
export const MARK_UNKNOWN: Statement = {
  name: 'mark_unknown',
  text: 'SELECT id FROM mark_unknown($1, $2, $3)',
};

/**
 * Calls in `dial_unknown` that are due for a look-up, which the statement also records. $1 carrier, $2 grace
 * in ms, $3 batch size.
 */
export const ASK_UNKNOWN: Statement = {
  name: 'ask_unknown_of',
  text: `
    SELECT id, phone_number, caller_id, claimed_at, carrier_call_id, carrier_settings, carrier_account_id, claimed_ms_ago
    FROM ask_unknown_of($1, $2, $3)`,
};

/**
 * Calls in `dial_unknown` with a reason, for longer than a time. $1 carrier, $2 reason, $3 time in ms, $4 batch size.
 */
export const FIND_UNSETTLED: Statement = {
  name: 'find_unsettled',
  text: 'SELECT id, carrier_call_id FROM find_unsettled($1, $2, $3, $4)',
};

/**
 * Calls in progress whose ends may never be reported, and that are due for a look-up, which the statement also
 * records. $1 carrier, $2 ms since the claim, $3 grace in ms, $4 batch size.
 */
export const ASK_SILENT: Statement = {
  name: 'ask_silent_of',
  text: `
    SELECT id, phone_number, caller_id, claimed_at, carrier_call_id, carrier_settings, carrier_account_id, claimed_ms_ago
    FROM ask_silent_of($1, $2, $3, $4)`,
};

/**
 * Whether a carrier's call that was found by its phone numbers and time may belong to another call request.
 * $1 call request, $2 carrier's call id.
 */
export const MAY_BE_ANOTHER: Statement = {
  name: 'may_be_another',
  text: 'SELECT may_be_another_call($1, $2) AS another',
};

/**
 * Records a worker's last run, and deletes the rows of workers that have been silent for an hour. $1 worker,
 * $2 whether the run is the worker's first, $3 duration in ms, $4 whether the run repaired something, $5 to
 * $8 repairs so far.
 */
export const NOTE_RUN: Statement = {
  name: 'note_run',
  text: `
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    gone AS (DELETE FROM sweeper_runs USING clock WHERE worker <> $1 AND ran_at < clock.now - interval '1 hour')
    INSERT INTO sweeper_runs AS s
      (worker, started_at, ran_at, duration_ms, repaired_at, woken, expired, unknown, resolved)
    SELECT $1, now, now, $3, CASE WHEN $4 THEN now END, $5, $6, $7, $8 FROM clock
    ON CONFLICT (worker) DO UPDATE SET
      started_at = CASE WHEN $2 THEN excluded.started_at ELSE s.started_at END,
      repaired_at = CASE WHEN $2 OR $4 THEN excluded.repaired_at ELSE s.repaired_at END,
      ran_at = excluded.ran_at, duration_ms = excluded.duration_ms, woken = excluded.woken,
      expired = excluded.expired, unknown = excluded.unknown, resolved = excluded.resolved`,
};

/** Removes the row of a worker that stops. $1 worker. */
export const FORGET_WORKER: Statement = {
  name: 'forget_worker',
  text: 'DELETE FROM sweeper_runs WHERE worker = $1',
};
