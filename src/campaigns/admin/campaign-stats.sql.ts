import { externalIdOf } from '../../dialing/facts/external-ids.sql.js';

/** How many enrollments or calls of one version have the same kind and name. */
export interface StatsRow {
  version_id: string;
  kind: 'live' | 'ended' | 'attempted' | 'reached' | 'attempt';
  /**
   * For `live`, what the enrollments wait for; for `ended`, the reason; for `attempt`, the outcome. Otherwise
   * empty.
   */
  name: string;
  n: number;
}

/**
 * The number of processed calls of an enrollment, including calls that retention has removed, and the external id
 * of its contact. $1 enrollment.
 */
export const FIGURES_OF_ENROLLMENT = `
  SELECT (SELECT coalesce(sum(counted.value::integer), 0)::integer FROM jsonb_each_text(e.calls) counted) AS attempts,
    ${externalIdOf('e.contact_id')} AS "externalId"
  FROM enrollments e
  WHERE e.id = $1`;

/**
 * SQL: the counts of a campaign and the changes that are not added to them yet, as of one instant.
 * @param where SQL condition on both tables.
 */
function counted(where: string): string {
  const columns = 'version_id, kind, name, n';
  return `(
      SELECT ${columns} FROM campaign_counts WHERE ${where}
      UNION ALL
      SELECT ${columns} FROM campaign_count_changes WHERE ${where}) counted`;
}

/** The counts of a campaign's enrollments. $1 team, $2 campaign. */
export const CAMPAIGN_STATS = `
  SELECT version_id, kind, name, sum(n)::integer AS n
  FROM ${counted('team_id = $1 AND campaign_id = $2')}
  GROUP BY 1, 2, 3
  HAVING sum(n) <> 0`;

/** How many are enrolled on each version of a campaign. $1 team, $2 campaign. */
export const ENROLLED_BY_VERSION = `
  SELECT version_id, sum(n)::integer AS enrolled
  FROM ${counted(`team_id = $1 AND campaign_id = $2 AND kind IN ('live', 'ended')`)}
  GROUP BY 1`;
