import { LISTED, overdue } from './overview.sql.js';

/** For how long a failed import needs attention. */
const FAILED_DAYS = 7;
/** A statement reads no more due and ended calls than these. */
const LOOKED_AT = 1_000;

/**
 * Imports that failed in the last days, the latest first. $1 the instant of the page, $2 team or null for all teams.
 */
export const FAILED_IMPORTS = `
  SELECT i.id, t.id AS team_id, t.name AS team, i.finished_at, i.error
  FROM imports i JOIN teams t ON t.id = i.team_id
  WHERE i.status = 'failed' AND i.finished_at > $1::timestamptz - interval '${FAILED_DAYS} days'
    AND ($2::uuid IS NULL OR i.team_id = $2)
  ORDER BY i.finished_at DESC
  LIMIT ${LISTED}`;

export interface FailedImportRow {
  id: string;
  team_id: string;
  team: string;
  finished_at: Date;
  error: string | null;
}

/**
 * Carriers that could not be reached when they were last tried: due calls that were not dialed because of it and wait,
 * and calls that ended because of it in the last 10 minutes. A carrier that took a call since then is not away.
 * Calls that wait unclaimed for the carrier are not known to Postgres, so that `calls` is a least number. $1 the
 * instant of the page, $2 team or null for all teams, $3 the carrier of agents that name none.
 */
export const CARRIERS_AWAY = `
  WITH due AS (${overdue('r.team_id, r.agent_id, r.history', LOOKED_AT)}), ended AS (
    SELECT r.team_id, r.carrier, r.status, r.reason, r.ended_at FROM call_requests r
    WHERE r.ended_at > $1::timestamptz - interval '10 minutes'
    ORDER BY r.ended_at DESC LIMIT ${LOOKED_AT}
  ), missed AS (
    SELECT coalesce(a.carrier, $3::text) AS carrier, (d.history->-1->>'at')::timestamptz AS at
    FROM due d JOIN voice_agents a ON a.team_id = d.team_id AND a.id = d.agent_id
    WHERE d.history->-1->>'cause' = 'carrier_unreachable'
    UNION ALL
    SELECT e.carrier, e.ended_at FROM ended e
    WHERE e.reason = 'CARRIER_UNREACHABLE' AND e.carrier IS NOT NULL AND ($2::uuid IS NULL OR e.team_id = $2)
  )
  SELECT m.carrier, count(*)::integer AS calls, max(m.at) AS at FROM missed m
  GROUP BY m.carrier
  HAVING NOT EXISTS (
    SELECT FROM ended e
    WHERE e.carrier = m.carrier AND e.reason IS DISTINCT FROM 'CARRIER_UNREACHABLE' AND e.ended_at > max(m.at))
  ORDER BY m.carrier`;

export interface CarrierAwayRow {
  carrier: string;
  calls: number;
  /** When it was last tried. */
  at: Date;
}
