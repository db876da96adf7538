/** How many enrollments, or calls, of one version are alike. */
export interface StatsRow {
  version_id: string;
  kind: 'live' | 'ended' | 'attempted' | 'reached' | 'attempt';
  /** For `live`, what the enrollments wait for; for `ended`, the reason; for `attempt`, the outcome; else empty. */
  name: string;
  n: number;
}

/** $1 enrollment. A call that is not kept any more counts as an attempt, as the engine has it. */
export const ATTEMPTS_OF_ENROLLMENT = `
  SELECT count(*)::integer AS attempts
  FROM enrollment_dials d LEFT JOIN call_requests c ON c.id = d.call_request_id
  WHERE d.enrollment_id = $1 AND (c.processed_at IS NOT NULL OR c.id IS NULL)`;

/** SQL: the counts of a campaign and what has changed about them since, of one instant. @param where of both tables. */
function counted(where: string): string {
  const columns = 'version_id, kind, name, n';
  return `(
      SELECT ${columns} FROM campaign_counts WHERE ${where}
      UNION ALL
      SELECT ${columns} FROM campaign_count_changes WHERE ${where}) counted`;
}

/** What became of a campaign's enrollments. $1 team, $2 campaign. */
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
