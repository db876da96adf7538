import { type EntityManager } from 'typeorm';
import { LOCK_TEAM } from '../database/team-scope.js';

/**
 * Recounts the team's calls of the current month (UTC). Usage is not kept for a team without a limit, so rows
 * that exist when a limit is set may be stale. The function takes the team's lock exclusively, as
 * `src/dialing/facts/locks.sql.ts` describes, and holds it to the end of the transaction. So no call is
 * counted while the limit is being set.
 */
export async function recountPlanUsage(manager: EntityManager, teamId: string): Promise<void> {
  await manager.query(LOCK_TEAM.text, [teamId]);
  await manager.query('DELETE FROM plan_usage WHERE team_id = $1', [teamId]);
  // A call that is due at its acceptance is counted at its acceptance, and is claimed within 8 days or not at
  // all. Of calls that were accepted more than 8 days before the month, only calls with a far opening can
  // count. They were claimed this month, or are pending again because the carrier was unreachable or
  // throttled them.
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
