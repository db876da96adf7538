import { type Statement } from '../database/transactions.js';

/*
 * What the metrics tell of Postgres. The conditions are those of partial indexes, so that the calls that have ended,
 * which are nearly all, are not looked at.
 */

/** Calls whose time has come and that nobody has claimed, as the sweeper sees them: a pause is no delay. */
export const OVERDUE: Statement = {
  name: 'overdue',
  text: `
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now)
    SELECT count(*)::float8 AS calls,
      coalesce(extract(epoch FROM max(clock.now - r.runs_at)), 0)::float8 AS seconds
    FROM call_requests r JOIN teams t ON t.id = r.team_id CROSS JOIN platform_settings s CROSS JOIN clock
    WHERE r.status IN ('scheduled', 'queued') AND r.runs_at <= clock.now AND NOT t.paused AND NOT s.paused`,
};

export interface OverdueRow {
  calls: number;
  seconds: number;
}

/** Calls that have not ended, by status. */
export const OPEN_CALLS: Statement = {
  name: 'open_calls',
  text: `
    SELECT status, count(*)::float8 AS calls FROM call_requests
    WHERE status IN ('scheduled', 'queued') GROUP BY status
    UNION ALL
    SELECT status, count(*)::float8 FROM call_requests
    WHERE status IN ('dialing', 'in_progress', 'dial_unknown') GROUP BY status`,
};

export interface OpenCallsRow {
  status: string;
  calls: number;
}
