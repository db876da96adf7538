import { MAX_BATCH } from '../../database/batch-work.js';

/*
 * A team's calls in a month are counted in several rows. Each connection adds to one of these rows, and the
 * sum is the team's usage. With a single row, every trigger of the team would wait for the trigger before it.
 *
 * The team's lock is shared while more calls are left to the limit than all transactions in progress can
 * count. Nearer to the limit the lock is exclusive, and each transaction sees the counts of all transactions
 * before it.
 */

/** The most rows for a team's month. */
const SHARDS = 16;

/** SQL: the most calls that all transactions of all processes can have counted and not committed. */
export const MAX_UNCOMMITTED = `current_setting('max_connections')::integer * ${MAX_BATCH}`;

/** The month of an instant, as its first day in UTC. @param instant SQL for it. */
export function monthOf(instant: string): string {
  return `date_trunc('month', ${instant}::timestamptz AT TIME ZONE 'UTC')::date`;
}

/** @param team SQL for the team's id. @param month SQL for the month's first day. */
export function planUsed(team: string, month: string): string {
  return `counted_calls(${team}, ${month})`;
}

/**
 * An INSERT that adds to the usage. It changes rows in a fixed order, so that two such statements do not
 * deadlock.
 * @param rows a SELECT of team, month and calls, which may be negative.
 */
export function countCalls(rows: string): string {
  return `INSERT INTO plan_usage AS u (team_id, month, shard, used)
      SELECT counted.team_id, counted.month, pg_backend_pid() % ${SHARDS}, counted.calls
      FROM (${rows}) counted (team_id, month, calls)
      ORDER BY 1, 2
      ON CONFLICT (team_id, month, shard) DO UPDATE SET used = u.used + excluded.used`;
}

/**
 * Releases the plan's usage of calls that were not dialed. A team without a limit has no usage.
 *
 * @param ended a relation with `team_id` and `counted_month`, one row a call.
 */
export function releaseUsage(ended: string): string {
  return countCalls(`
        SELECT e.team_id, e.counted_month, -count(*)::integer FROM ${ended} e JOIN teams t ON t.id = e.team_id
        WHERE e.counted_month IS NOT NULL AND t.monthly_call_limit IS NOT NULL GROUP BY 1, 2`);
}
