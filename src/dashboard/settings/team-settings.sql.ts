import { ofManyNumbers } from '../../dialing/facts/facts.sql.js';

/** A page counts no more active calls than these. */
export const MOST_ACTIVE = 10_000;

/**
 * What a team uses of its limits. $1 team. Calls of the month are counted only for a team with such a limit. Active
 * calls are read by their index.
 */
export const USE_OF_LIMITS = `
  SELECT
    CASE WHEN t.monthly_call_limit IS NOT NULL
      THEN counted_calls(t.id, date_trunc('month', outdial_now() AT TIME ZONE 'UTC')::date) END AS month,
    (SELECT count(*)::integer FROM (
      SELECT FROM call_requests r WHERE r.phase = 1 AND ${ofManyNumbers('r')} AND r.team_id = t.id
      LIMIT ${MOST_ACTIVE}) active) AS active
  FROM teams t WHERE t.id = $1`;

export interface UseRow {
  /** null: there is no limit. */
  month: number | null;
  active: number;
}
