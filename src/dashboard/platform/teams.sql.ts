import { isAwake, isPendingCall, ofManyNumbers } from '../../dialing/facts/facts.sql.js';

/** Teams of one page. */
export const TEAMS_LISTED = 25;
/** A page counts no more calls of a team than these. */
export const COUNTED_OF_TEAM = 1_000;
/** A page counts no more ended and overdue calls of all teams than these. */
export const COUNTED_OF_ALL = 10_000;

/** Active and pending calls of the teams $1, by the indexes of each team, in bounds. */
export const OPEN_OF_TEAMS = `
  SELECT t.id AS team, active.calls AS active, pending.calls AS pending
  FROM unnest($1::uuid[]) t (id)
  CROSS JOIN LATERAL (SELECT count(*)::integer AS calls FROM (
    SELECT FROM call_requests r WHERE r.phase = 1 AND ${ofManyNumbers('r')} AND r.team_id = t.id
    ORDER BY r.team_id, r.claimed_at LIMIT ${COUNTED_OF_TEAM}) c) active
  CROSS JOIN LATERAL (SELECT count(*)::integer AS calls FROM (
    SELECT FROM call_requests r WHERE ${isPendingCall('r')} AND ${ofManyNumbers('r')} AND r.team_id = t.id
    ORDER BY r.team_id, r.expires_at LIMIT ${COUNTED_OF_TEAM}) c) pending`;

export interface OpenRow {
  team: string;
  active: number;
  pending: number;
}

/** Overdue calls by team, of those that have been due longest; $1 is the instant of the page. */
export const OVERDUE_OF_TEAMS = `
  SELECT team, count(*)::integer AS calls FROM (
    SELECT r.team_id AS team FROM call_requests r
    WHERE ${isPendingCall('r')} AND ${isAwake('r')} AND r.runs_at <= $1
    ORDER BY r.runs_at LIMIT ${COUNTED_OF_ALL}) overdue
  GROUP BY team`;

export interface OverdueOfTeamRow {
  team: string;
  calls: number;
}

/** Calls that ended since $1 by team and outcome, of the latest. */
export const ENDED_OF_TEAMS = `
  SELECT team, status, count(*)::integer AS calls FROM (
    SELECT r.team_id AS team, r.status FROM call_requests r
    WHERE r.ended_at >= $1 ORDER BY r.ended_at DESC LIMIT ${COUNTED_OF_ALL}) ended
  GROUP BY team, status`;

export interface EndedOfTeamRow extends OverdueOfTeamRow {
  status: string;
}

/** Calls that ended since $1 by carrier and outcome, of the latest. */
export const ENDED_OF_CARRIERS = `
  SELECT carrier, status, reason, count(*)::integer AS calls FROM (
    SELECT r.carrier, r.status, r.reason FROM call_requests r
    WHERE r.ended_at >= $1 ORDER BY r.ended_at DESC LIMIT ${COUNTED_OF_ALL}) ended
  WHERE carrier IS NOT NULL
  GROUP BY carrier, status, reason`;

export interface EndedOfCarrierRow {
  carrier: string;
  status: string;
  reason: string | null;
  calls: number;
}
