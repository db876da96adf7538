import { type Statement } from '../../database/transactions.js';

/*
 * The sweeper's queries. Each takes a bounded batch, passes over rows that another process is at work on, and leaves
 * the rest for the next run.
 */

/**
 * Due calls whose wake-up seems lost, and takes note of waking them. The grace doubles with each wake-up of a call, up
 * to 64 times, so that a queue with a long backlog is not flooded. $1 grace in ms, $2 batch size.
 */
export const WAKE_OVERDUE: Statement = {
  name: 'wake_overdue',
  text: `
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    overdue AS (
      SELECT r.id
      FROM call_requests r JOIN teams t ON t.id = r.team_id CROSS JOIN platform_settings s CROSS JOIN clock
      WHERE r.status IN ('scheduled', 'queued') AND r.runs_at <= clock.now AND r.expires_at > clock.now
        AND NOT t.paused AND NOT s.paused
        AND greatest(r.runs_at, r.woken_at) + $1 * interval '1 ms' * power(2, least(r.wakes, 6)) <= clock.now
      ORDER BY r.runs_at
      LIMIT $2
      FOR UPDATE OF r SKIP LOCKED
    )
    UPDATE call_requests r SET woken_at = clock.now, wakes = r.wakes + 1, generation = r.generation + 1
    FROM overdue, clock
    WHERE r.id = overdue.id
    RETURNING r.id, r.generation`,
};

/** Pending calls past their expiry; each is then fired, which is what ends it. $1 batch size. */
export const FIND_EXPIRED: Statement = {
  name: 'find_expired',
  text: `
    SELECT id, generation FROM call_requests
    WHERE status IN ('scheduled', 'queued') AND expires_at <= (SELECT outdial_now())
    ORDER BY expires_at
    LIMIT $1`,
};

/**
 * Claimed calls of which nothing was heard for longer than is possible: what became of them is unknown.
 * $1 longest time in `dialing` in ms, $2 longest time in `in_progress` in ms, $3 batch size.
 */
export const MARK_UNKNOWN: Statement = {
  name: 'mark_unknown',
  text: `
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    silent AS (
      SELECT r.id FROM call_requests r CROSS JOIN clock
      WHERE r.status = 'dialing' AND r.claimed_at < clock.now - $1 * interval '1 ms'
        OR r.status = 'in_progress' AND r.claimed_at < clock.now - $2 * interval '1 ms'
      ORDER BY r.claimed_at
      LIMIT $3
      FOR UPDATE OF r SKIP LOCKED
    )
    UPDATE call_requests r SET
      status = 'dial_unknown', reason = 'NO_WORD',
      history = r.history || jsonb_build_object(
        'at', to_char(clock.now AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'from', r.status, 'to', 'dial_unknown', 'cause', 'no_word')
    FROM silent, clock
    WHERE r.id = silent.id
    RETURNING r.id`,
};

/**
 * Calls in `dial_unknown` whose carrier may be asked (again); the pause doubles each time, up to 1,024 times the grace.
 * $1 grace in ms, $2 batch size.
 */
export const ASK_UNKNOWN: Statement = {
  name: 'ask_unknown',
  text: `
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    due AS (
      SELECT r.id FROM call_requests r CROSS JOIN clock
      WHERE r.status = 'dial_unknown' AND r.woken_at + $1 * interval '1 ms' * power(2, least(r.wakes, 10)) <= clock.now
      ORDER BY r.woken_at
      LIMIT $2
      FOR UPDATE OF r SKIP LOCKED
    )
    UPDATE call_requests r SET woken_at = clock.now, wakes = r.wakes + 1
    FROM due, clock
    WHERE r.id = due.id
    RETURNING r.id, r.phone_number, r.claimed_at, r.carrier,
      (extract(epoch FROM clock.now - r.claimed_at) * 1000)::float8 AS claimed_ms_ago`,
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
