import { type EntityManager } from 'typeorm';
import { LOCK_TEAM } from '../database/team-scope.js';

/**
 * Recounts the team's calls of the current month (UTC). Usage is not kept for a team without a limit, so
 * whatever is there when one is set may be stale. Takes the team's lock exclusively, as
 * `src/calls/shared/locks.sql.ts` says, and holds it to the end of the transaction. So nothing is counted
 * while the limit is being set.
 */
export async function recountPlanUsage(manager: EntityManager, teamId: string): Promise<void> {
  await manager.query(LOCK_TEAM.text, [teamId]);
  await manager.query('DELETE FROM plan_usage WHERE team_id = $1', [teamId]);
  // An immediate call is counted when it is accepted, and claimed within 8 days if at all. Of calls that were
  // accepted earlier, only those for a far opening can count: claimed this month, or pending again because
  // the carrier was busy.
  await manager.query(
    `WITH clock AS MATERIALIZED (SELECT date_trunc('month', outdial_now() AT TIME ZONE 'UTC') AS month),
     this AS MATERIALIZED (SELECT month::date AS month, month AT TIME ZONE 'UTC' AS since FROM clock),
     counted AS (
       SELECT FROM this JOIN call_requests r ON r.team_id = $1 AND r.accepted_at >= this.since - interval '8 days'
        WHERE r.counted_month = this.month
       UNION ALL
       SELECT FROM this
         JOIN phone_numbers n ON n.team_id = $1
         JOIN call_requests r ON r.team_id = $1 AND r.caller_id = n.phone_number AND r.processed_at >= this.since
        WHERE r.counted_month = this.month AND r.accepted_at < this.since - interval '8 days'
       UNION ALL
       SELECT FROM this JOIN call_requests r ON r.team_id = $1 AND r.phase <= 0
        WHERE r.counted_month = this.month AND r.accepted_at < this.since - interval '8 days'
     )
     INSERT INTO plan_usage (team_id, month, used)
     SELECT $1, this.month, (SELECT count(*) FROM counted)::integer FROM this`,
    [teamId],
  );
}
