import { isAwake, isPendingCall, ofManyNumbers } from '../../dialing/facts/facts.sql.js';

/*
 * The statements of the overview. A statement that counts or lists calls reads them by one index, in the
 * order of that index, and no more than its limit. $1 is the instant of the page, unless a comment names
 * another meaning; $2 is a team, or null for all teams.
 */

const TEAM = '($2::uuid IS NULL OR r.team_id = $2)';

const IS_PENDING = isPendingCall('r');
const OF_MANY_NUMBERS = ofManyNumbers('r');

/** Rows that a statement counts while a page waits for it. */
export const COUNTED_AT_ONCE = 10_000;
/** The most rows of a list. */
export const LISTED = 20;

/** Leaves out calls that wait for a concurrency slot, as the sweeper and the index do. */
const IS_AWAKE = isAwake('r');

const IS_UPCOMING = 'r.runs_at > $1 AND r.runs_at < $4::timestamptz';

/**
 * SQL: the first calls of all teams, or of the team, in the order of their index. The order keeps Postgres
 * from reading the whole table. Postgres executes only one of the two parts.
 *
 * @param limit SQL.
 */
function ofTeamOrAll(columns: string, condition: string, order: string, limit: string): string {
  const calls = `SELECT ${columns} FROM call_requests r WHERE ${condition}`;
  return `(${calls} AND ${OF_MANY_NUMBERS} AND $2::uuid IS NULL ORDER BY ${order} LIMIT ${limit})
    UNION ALL
    (${calls} AND ${OF_MANY_NUMBERS} AND r.team_id = $2 ORDER BY ${order} LIMIT ${limit})`;
}

/**
 * SQL: overdue pending calls: of all teams, the longest overdue first; of one team, in the order of their
 * expiry. No index has a team's due times. But a call expires 24 hours after its due time at the latest. So
 * the index of the team's pending calls by expiry bounds the search.
 *
 * @param columns of calls.
 */
export function overdue(columns: string, limit: number): string {
  const isOverdue = `${IS_AWAKE} AND r.runs_at <= $1`;
  return `(SELECT ${columns} FROM call_requests r
      WHERE ${IS_PENDING} AND ${isOverdue} AND $2::uuid IS NULL
      ORDER BY r.runs_at LIMIT ${limit})
    UNION ALL
    (SELECT ${columns} FROM (
        SELECT * FROM call_requests r
        WHERE ${IS_PENDING} AND ${OF_MANY_NUMBERS} AND r.team_id = $2 AND r.expires_at <= $1::timestamptz + interval '24 hours'
        -- OFFSET 0 keeps Postgres from using the index of all teams' due times for the outer condition.
        ORDER BY r.expires_at OFFSET 0) r
      WHERE ${isOverdue}
      LIMIT ${limit})`;
}

/** Overdue pending calls, and how many of them are paused. */
export const OVERDUE_COUNT = `
  SELECT count(*) FILTER (WHERE NOT (t.paused OR s.paused))::integer AS calls,
    count(*) FILTER (WHERE t.paused OR s.paused)::integer AS paused, min(r.runs_at) FILTER (WHERE NOT (t.paused OR s.paused)) AS oldest
  FROM (${overdue('r.team_id, r.runs_at', COUNTED_AT_ONCE)}) r
  JOIN teams t ON t.id = r.team_id CROSS JOIN platform_settings s`;

export interface OverdueCountRow {
  calls: number;
  paused: number;
  oldest: Date | null;
}

export const OVERDUE = `
  SELECT r.id, t.id AS team_id, t.name AS team, r.phone_number, r.runs_at, r.expires_at, r.wakes,
    t.paused OR s.paused AS paused
  FROM (${overdue('r.id, r.team_id, r.phone_number, r.runs_at, r.expires_at, r.wakes', LISTED)}) r
  JOIN teams t ON t.id = r.team_id CROSS JOIN platform_settings s
  ORDER BY r.runs_at`;

export interface OverdueRow {
  id: string;
  team_id: string;
  team: string;
  phone_number: string;
  runs_at: Date;
  expires_at: Date;
  wakes: number;
  paused: boolean;
}

/** Active calls by status; $1 is not used. */
export const UNDER_WAY = `
  SELECT status, NULL AS reason, count(*)::integer AS calls
  FROM (
    ${ofTeamOrAll('r.status', 'r.phase = 1 AND $1::timestamptz IS NOT NULL', 'r.team_id, r.claimed_at', String(COUNTED_AT_ONCE))}
  ) under_way
  GROUP BY status`;

/**
 * Pending calls by phase, $3 at most. The index has the phase, so Postgres need not read the calls. $1 is not
 * used.
 */
export const PENDING = `
  SELECT phase, count(*)::integer AS calls
  FROM (
    ${ofTeamOrAll('r.phase', `${IS_PENDING} AND $1::timestamptz IS NOT NULL`, 'r.team_id, r.expires_at', '$3')}
  ) pending
  GROUP BY phase`;

export interface PendingRow {
  /** The phase that `phaseOf` returns for a pending state. */
  phase: number;
  calls: number;
}

/**
 * Pending calls that are due after $1, by the hour in which they are due. $3 are the instants at which the
 * hours begin, $4 is the end of the last hour, $5 the most rows. For one team, the index of its pending calls
 * by expiry bounds the search, as for overdue calls.
 */
export const UPCOMING = `
  SELECT width_bucket(runs_at, $3::timestamptz[]) AS hour, count(*)::integer AS calls
  FROM (
    (SELECT r.runs_at FROM call_requests r
      WHERE ${IS_PENDING} AND ${IS_AWAKE} AND ${IS_UPCOMING} AND $2::uuid IS NULL
      ORDER BY r.runs_at LIMIT $5)
    UNION ALL
    (SELECT r.runs_at FROM (
        SELECT * FROM call_requests r
        WHERE ${IS_PENDING} AND ${OF_MANY_NUMBERS} AND r.team_id = $2 AND r.expires_at <= $4::timestamptz + interval '24 hours'
        -- OFFSET 0 keeps Postgres from using the index of all teams' due times for the outer condition.
        ORDER BY r.expires_at OFFSET 0) r
      WHERE ${IS_AWAKE} AND ${IS_UPCOMING}
      LIMIT $5)
  ) upcoming
  GROUP BY hour`;

/** `hour` counts from 1. */
export interface UpcomingRow {
  hour: number;
  calls: number;
}

/**
 * Calls that ended since $1, by how they ended. At most the latest $3 calls of all teams are read, because no
 * index finds the ended calls of one team. `own` is false for calls of another team.
 */
export const ENDED = `
  SELECT status, reason, $2::uuid IS NULL OR team_id = $2 AS own, count(*)::integer AS calls
  FROM (
    SELECT r.status, r.reason, r.team_id FROM call_requests r
    WHERE r.ended_at >= $1
    ORDER BY r.ended_at DESC
    LIMIT $3
  ) ended
  GROUP BY status, reason, own`;

/** As {@link ENDED}, for calls that ended before $4. */
export const ENDED_BEFORE = ENDED.replace('r.ended_at >= $1', 'r.ended_at >= $1 AND r.ended_at < $4');

export interface EndedRow extends CountRow {
  own: boolean;
}

export interface CountRow {
  status: string;
  reason: string | null;
  calls: number;
}

/** Calls in `dial_unknown`, the earliest claimed first; $1 is not used. */
export const UNKNOWN = `
  SELECT r.id, t.id AS team_id, t.name AS team, r.phone_number, r.claimed_at, r.carrier, r.carrier_call_id, r.reason
  FROM call_requests r JOIN teams t ON t.id = r.team_id
  WHERE r.phase = 1 AND ${OF_MANY_NUMBERS} AND r.status = 'dial_unknown' AND $1::timestamptz IS NOT NULL AND ${TEAM}
  ORDER BY r.claimed_at
  LIMIT ${LISTED}`;

export interface UnknownRow {
  id: string;
  team_id: string;
  team: string;
  phone_number: string;
  claimed_at: Date;
  carrier: string | null;
  carrier_call_id: string | null;
  reason: string | null;
}

export const SWEEPERS = `
  SELECT worker, started_at, ran_at, duration_ms, repaired_at, woken, expired, unknown, resolved
  FROM sweeper_runs ORDER BY ran_at DESC LIMIT ${LISTED}`;

export interface SweeperRow {
  worker: string;
  started_at: Date;
  ran_at: Date;
  duration_ms: number;
  repaired_at: Date | null;
  woken: number;
  expired: number;
  unknown: number;
  resolved: number;
}
