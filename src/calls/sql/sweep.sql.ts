import { type Statement } from '../../database/transactions.js';

/*
 * The sweeper's queries. They cross teams, so they are functions of the database, where row-level security lets them:
 * their SQL, and what each takes note of, stands in the migration `functions-across-teams`. Each takes a bounded batch,
 * passes over rows that another process is at work on, and leaves the rest for the next run.
 */

/**
 * Due calls, in their order, behind the place where the last look ended: `overdue` says whether the grace of a wake-up
 * is over, `overlong` whether it is beyond all patience. $1 grace in ms, $2 and $3 runs_at and id to begin behind,
 * $4 batch size.
 */
export const FIND_OVERDUE: Statement = {
  name: 'find_overdue',
  text: 'SELECT id, generation, team_id, runs_at, overdue, overlong FROM find_overdue($1, $2, $3, $4)',
};

/** Takes note of waking calls whose wake-up seems lost. $1 ids, $2 the generations at which they were found. */
export const WAKE_OVERDUE: Statement = {
  name: 'wake_overdue_calls',
  text: 'SELECT id, generation, team_id FROM wake_overdue($1, $2)',
};

/** Pending calls past their expiry; each is then fired, which is what ends it. $1 batch size. */
export const FIND_EXPIRED: Statement = {
  name: 'find_expired',
  text: 'SELECT id, generation FROM find_expired($1)',
};

/**
 * Claimed calls of which nothing was heard for longer than is possible: what became of them is unknown.
 * $1 longest time in `dialing` in ms, $2 longest time in `in_progress` in ms, $3 batch size.
 */
export const MARK_UNKNOWN: Statement = {
  name: 'mark_unknown',
  text: 'SELECT id FROM mark_unknown($1, $2, $3)',
};

/** Calls in `dial_unknown` whose carrier may be asked (again). $1 grace in ms, $2 batch size. */
export const ASK_UNKNOWN: Statement = {
  name: 'ask_unknown',
  text: `
    SELECT id, phone_number, caller_id, claimed_at, carrier, carrier_call_id, carrier_settings, claimed_ms_ago
    FROM ask_unknown($1, $2)`,
};

/** Whether a carrier's call, found by numbers and time alone, may be another's. $1 call request, $2 carrier's call id. */
export const MAY_BE_ANOTHER: Statement = {
  name: 'may_be_another',
  text: 'SELECT may_be_another_call($1, $2) AS another',
};

/**
 * A worker's last run. Beside its own row it forgets workers that have been gone for a day.
 * $1 worker, $2 whether it is its first, $3 duration in ms, $4 whether it repaired something, $5 to $8 repairs so far.
 */
export const NOTE_RUN: Statement = {
  name: 'note_run',
  text: `
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    gone AS (DELETE FROM sweeper_runs USING clock WHERE worker <> $1 AND ran_at < clock.now - interval '1 day')
    INSERT INTO sweeper_runs AS s
      (worker, started_at, ran_at, duration_ms, repaired_at, woken, expired, unknown, resolved)
    SELECT $1, now, now, $3, CASE WHEN $4 THEN now END, $5, $6, $7, $8 FROM clock
    ON CONFLICT (worker) DO UPDATE SET
      started_at = CASE WHEN $2 THEN excluded.started_at ELSE s.started_at END,
      repaired_at = CASE WHEN $2 OR $4 THEN excluded.repaired_at ELSE s.repaired_at END,
      ran_at = excluded.ran_at, duration_ms = excluded.duration_ms, woken = excluded.woken,
      expired = excluded.expired, unknown = excluded.unknown, resolved = excluded.resolved`,
};
