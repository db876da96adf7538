/** The most versions of a campaign that a page shows. */
export const VERSIONS_SHOWN = 200;

/** Versions whose live enrollments are being moved to another version. $1 team, $2 campaign. */
export const MOVING_VERSIONS = `
  SELECT id FROM campaign_versions WHERE team_id = $1 AND campaign_id = $2 AND migrates_to IS NOT NULL`;

/** The most enrollments that are counted in one hour of a campaign. A busier hour shows this number. */
export const COUNTED_AN_HOUR = 10_000;

/**
 * How many active enrollments of a campaign are due in each span of time; overdue enrollments are in the first. One
 * that is paused is not called, whenever it is due. For each span and rank, Postgres reads a bounded part of the index
 * of due enrollments, which has the active ones only. $1 campaign, $2 starts of the
 * spans, $3 their ends.
 */
export const DUE_BY_HOUR = `
  SELECT (SELECT count(*)::integer FROM (
      SELECT FROM generate_series(0, 2) AS rank CROSS JOIN LATERAL (
        SELECT FROM enrollments e
        WHERE e.campaign_id = $1 AND e.status = 'active' AND e.dial_rank = rank AND e.look_at IS NOT NULL
          AND e.look_at >= CASE WHEN spans.n = 1 THEN '-infinity' ELSE spans.starts_at END AND e.look_at < spans.ends_at
        ORDER BY e.look_at
        LIMIT ${COUNTED_AN_HOUR}) of_rank
      LIMIT ${COUNTED_AN_HOUR}) due) AS calls
  FROM unnest($2::timestamptz[], $3::timestamptz[]) WITH ORDINALITY AS spans (starts_at, ends_at, n)
  ORDER BY spans.n`;
