import { type DataSource } from 'typeorm';
import { CAMPAIGN_STATS, type StatsRow } from '../../../src/campaigns/admin/campaign-stats.sql.js';
import { REFUSAL_OUTCOMES } from '../../../src/domain/refused-by.js';

/**
 * What a campaign's counts must be: every enrollment and every dial is looked at. An attempt is a processed
 * call that has ended; that of a failed call is who refused it, if its reason tells.
 */
const RECOUNT = `
  WITH dialed AS MATERIALIZED (
    SELECT e.version_id, e.id,
      CASE WHEN c.status = 'failed' AND c.reason IN (${REFUSAL_OUTCOMES.map((name) => `'${name}'`).join(', ')}) THEN c.reason ELSE c.status END AS status,
      count(*) AS n
    FROM enrollment_dials d
    JOIN enrollments e ON e.id = d.enrollment_id
    JOIN call_requests c ON c.id = d.call_request_id
    WHERE d.campaign_id = $1 AND c.processed_at IS NOT NULL
    GROUP BY e.id, 3
  )
  SELECT version_id, CASE WHEN status IN ('active', 'paused') THEN 'live' ELSE 'ended' END AS kind,
    CASE WHEN status IN ('active', 'paused') THEN coalesce(waiting_for, '') ELSE coalesce(end_reason, 'manual') END AS name,
    count(*)::integer AS n
  FROM enrollments WHERE campaign_id = $1
  GROUP BY 1, 2, 3
  UNION ALL
  SELECT version_id, 'attempt', CASE status WHEN 'dial_unknown' THEN 'unknown' ELSE status END, sum(n)::integer
  FROM dialed WHERE status NOT IN ('dialing', 'in_progress')
  GROUP BY 1, 3
  UNION ALL
  SELECT version_id, 'attempted', '', count(DISTINCT id)::integer FROM dialed GROUP BY 1
  UNION ALL
  SELECT version_id, 'reached', '', count(DISTINCT id)::integer FROM dialed WHERE status = 'completed' GROUP BY 1`;

/** In an order of its own. */
export async function recount(db: DataSource, campaignId: string): Promise<StatsRow[]> {
  return sorted(await db.query<StatsRow[]>(RECOUNT, [campaignId]));
}

export function sorted(rows: StatsRow[]): StatsRow[] {
  const key = ({ version_id, kind, name }: StatsRow) => `${version_id} ${kind} ${name}`;
  return [...rows].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** Of every campaign, what differs from a recount. */
export async function miscounted(db: DataSource): Promise<object[]> {
  const found = [];
  for (const { id, team_id } of await db.query<{ id: string; team_id: string }[]>(
    'SELECT id, team_id FROM campaigns',
  )) {
    const counts = sorted(await db.query<StatsRow[]>(CAMPAIGN_STATS, [team_id, id]));
    const rows = await recount(db, id);
    if (JSON.stringify(counts) !== JSON.stringify(rows)) found.push({ id, counts, rows });
  }
  return found;
}
