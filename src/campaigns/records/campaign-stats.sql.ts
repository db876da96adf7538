import { type AttemptOutcome } from '../../domain/campaigns/decide/enrollment.js';
import { type WaitingFor } from '../../domain/campaigns/decide/decision.js';
import { type EnrollmentStatus } from '../enrollment.entity.js';

/** Enrollments of one version that are alike. */
export interface EnrollmentCount {
  kind: 'enrollments';
  version_id: string;
  status: EnrollmentStatus;
  end_reason: string | null;
  waiting_for: WaitingFor | null;
  n: number;
}

/** Attempts of one version's enrollments with one outcome. */
export interface AttemptCount {
  kind: 'attempts';
  version_id: string;
  outcome: AttemptOutcome;
  n: number;
}

/** Enrollments of one version that were dialed, and those of them that were reached. */
export interface DialedCount {
  kind: 'dialed';
  version_id: string;
  n: number;
  reached: number;
}

export type StatsRow = EnrollmentCount | AttemptCount | DialedCount;

/** SQL: of a dial `d` and its call `c`. A call that is not kept any more counts as an attempt, as the engine has it. */
const IS_ATTEMPT = '(c.processed_at IS NOT NULL OR c.id IS NULL)';

/** SQL: the status of the call `c`, or the last one that the timeline of its enrollment `e` has of it. */
const STATUS = `coalesce(c.status, (
      SELECT line.entry->>'status' FROM jsonb_array_elements(e.timeline) WITH ORDINALITY AS line (entry, n)
      WHERE line.entry->>'kind' = 'call' AND line.entry->>'callRequestId' = d.call_request_id::text
      ORDER BY line.n DESC LIMIT 1), 'failed')`;

/** $1 enrollment. */
export const ATTEMPTS_OF_ENROLLMENT = `
  SELECT count(*)::integer AS attempts
  FROM enrollment_dials d LEFT JOIN call_requests c ON c.id = d.call_request_id
  WHERE d.enrollment_id = $1 AND ${IS_ATTEMPT}`;

/**
 * What became of a campaign's enrollments, in one statement and so at one instant. An attempt is a processed call; one that is
 * under way has no outcome yet. An end without a reason was stored before campaigns called: an operator's exit.
 *
 * $1 team, $2 campaign.
 */
export const CAMPAIGN_STATS = `
  WITH dialed AS MATERIALIZED (
    SELECT e.version_id, e.id, ${STATUS} AS status, count(*) AS n
    FROM enrollment_dials d
    JOIN enrollments e ON e.id = d.enrollment_id
    LEFT JOIN call_requests c ON c.id = d.call_request_id
    WHERE d.team_id = $1 AND d.campaign_id = $2 AND ${IS_ATTEMPT}
    GROUP BY e.id, 3
  )
  SELECT 'enrollments' AS kind, version_id, status, waiting_for, NULL AS outcome, count(*)::integer AS n, NULL::integer AS reached,
    CASE WHEN status NOT IN ('active', 'paused') THEN coalesce(end_reason, 'manual') END AS end_reason
  FROM enrollments
  WHERE team_id = $1 AND campaign_id = $2
  GROUP BY version_id, status, waiting_for, end_reason
  UNION ALL
  SELECT 'attempts', version_id, NULL, NULL,
    CASE status WHEN 'dial_unknown' THEN 'unknown' ELSE status END, sum(n)::integer, NULL, NULL
  FROM dialed
  WHERE status NOT IN ('dialing', 'in_progress')
  GROUP BY version_id, status
  UNION ALL
  SELECT 'dialed', version_id, NULL, NULL, NULL, count(DISTINCT id)::integer,
    (count(*) FILTER (WHERE status = 'completed'))::integer, NULL
  FROM dialed
  GROUP BY version_id`;
