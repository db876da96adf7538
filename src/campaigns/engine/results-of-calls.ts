import { isoInstant } from '../../database/iso-instant.js';
import { type Statement } from '../../database/transactions.js';
import { reachesGoal } from '../../domain/campaigns/decide/route.js';
import { type CampaignDefinition, stepOf } from '../../domain/campaigns/definition/definition.js';
import { parseDefinition } from '../../domain/campaigns/definition/parse-definition.js';
import { type ReportedResult } from '../../http/call-result-fields.js';
import { DEFINITION_FORMAT } from '../definition/campaign-version.entity.js';

/**
 * The columns of a call's enrollment that are needed to record the call's result. All are null for a
 * triggered call.
 */
export interface EnrollmentOfCallRow {
  enrollment_id: string | null;
  step: string | null;
  definition: Record<string, unknown> | null;
  definition_format: number | null;
}

/** SQL: the columns of {@link EnrollmentOfCallRow}, after {@link JOIN_ENROLLMENT_OF_CALL}. */
export const ENROLLMENT_OF_CALL = 'e.id AS enrollment_id, d.step, v.definition, v.definition_format';

/** SQL: joins the enrollment of the call `r`. */
export const JOIN_ENROLLMENT_OF_CALL = `
    LEFT JOIN enrollments e ON e.id = r.enrollment_id
    LEFT JOIN enrollment_dials d ON d.enrollment_id = r.enrollment_id AND d.call_request_id = r.id
    LEFT JOIN campaign_versions v ON v.id = e.version_id`;

/** What a result means to the campaign of its call. */
export function meaningOf(
  row: EnrollmentOfCallRow,
  result: Pick<ReportedResult, 'disposition' | 'callbackAt'>,
): {
  goal: boolean;
  /** Whether a route of the call's step names the disposition. */
  named: boolean;
} {
  const definition = definitionOf(row);
  const step = definition === null || row.step === null ? undefined : stepOf(definition, row.step);
  const named = step?.on.some(
    ({ when }) => when.kind === 'disposition' && when.disposition === result.disposition,
  );
  return { goal: reachesGoal(step, result), named: named ?? false };
}

function definitionOf({
  definition,
  definition_format: format,
}: EnrollmentOfCallRow): CampaignDefinition | null {
  if (format !== DEFINITION_FORMAT) return null;
  const parsed = parseDefinition(definition);
  return parsed.ok ? parsed.value : null;
}

/**
 * Records a call's result on its enrollment: adds an entry to the timeline, and has a live enrollment settled at once.
 * If the enrollment has already completed, a goal replaces the end reason. An exited or failed enrollment
 * keeps its end reason. $1 enrollment, $2 whether the result reaches the goal, $3 entry of the timeline.
 */
export const RECORD_RESULT: Statement = {
  name: 'record_result',
  text: `
    WITH clock AS MATERIALIZED (SELECT date_trunc('milliseconds', outdial_now()) AS now)
    UPDATE enrollments e SET
      look_at = CASE WHEN e.status IN ('active', 'paused') AND e.waiting_for IN ('in_call', 'outcome', 'result') THEN clock.now ELSE e.look_at END,
      settle_at = CASE WHEN e.status IN ('active', 'paused') THEN '-infinity' ELSE e.settle_at END,
      end_reason = CASE WHEN $2::boolean AND e.status = 'completed' THEN 'goal' ELSE e.end_reason END,
      updated_at = CASE WHEN $2::boolean AND e.status = 'completed' AND e.end_reason <> 'goal' THEN clock.now ELSE e.updated_at END,
      timeline = e.timeline || (jsonb_build_object('at', ${isoInstant('clock.now')}) || $3::jsonb)
    FROM clock
    WHERE e.id = $1`,
};
