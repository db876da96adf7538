import { type EntityManager } from 'typeorm';

/**
 * Counts the team's calls of the current month (UTC) anew. Usage is not kept for a team without a limit, so whatever
 * is there when one is set may be stale. Takes the team's lock exclusively, as `src/calls/sql/locks.sql.ts` says, and
 * holds it to the end of the transaction: nothing is counted while the limit is being set.
 */
export async function recountPlanUsage(manager: EntityManager, teamId: string): Promise<void> {
  await manager.query('SELECT pg_advisory_xact_lock(team_lock_key($1))', [teamId]);
  await manager.query('DELETE FROM plan_usage WHERE team_id = $1', [teamId]);
  // A call is counted at the latest when it is claimed, and it expires 7 days after it was accepted: older
  // ones need not be looked at.
  await manager.query(
    `INSERT INTO plan_usage (team_id, month, used)
     SELECT $1, m.month, count(r.id)::integer
       FROM (SELECT date_trunc('month', outdial_now() AT TIME ZONE 'UTC')::date AS month) m
       LEFT JOIN call_requests r ON r.team_id = $1 AND r.counted_month = m.month
         AND r.accepted_at >= m.month::timestamp AT TIME ZONE 'UTC' - interval '8 days'
      GROUP BY m.month`,
    [teamId],
  );
}
