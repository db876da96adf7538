import { isoInstant } from '../../database/iso-instant.js';
import { type Statement } from '../../database/transactions.js';
import { reachesGoal } from '../../domain/campaigns/decide/route.js';
import { type CampaignDefinition, stepOf } from '../../domain/campaigns/definition/definition.js';
import { parseDefinition } from '../../domain/campaigns/definition/parse-definition.js';
import { type ReportedResult } from '../../http/call-result-fields.js';
import { DEFINITION_FORMAT } from '../campaign-version.entity.js';

/** The enrollment of a call, as far as a result of the call concerns it; null for a call that was triggered. */
export interface EnrollmentOfCallRow {
  enrollment_id: string | null;
  step: string | null;
  definition: Record<string, unknown> | null;
  definition_format: number | null;
}

/** SQL: the columns of {@link EnrollmentOfCallRow}, behind {@link JOIN_ENROLLMENT_OF_CALL}. */
export const ENROLLMENT_OF_CALL = 'e.id AS enrollment_id, d.step, v.definition, v.definition_format';

/** SQL: of the call `r`. */
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
  /** Whether the call's step names the disposition, so that it is a word of the campaign's. */
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
 * Tells an enrollment of a call's result: a line of the timeline, and for a live one a look of the engine. A goal counts even where the
 * plain rules have completed it meanwhile; what was exited stays so. $1 enrollment, $2 whether it is a goal, $3 line of the timeline.
 */
export const TELL_RESULT: Statement = {
  name: 'tell_result',
  text: `
    WITH clock AS MATERIALIZED (SELECT date_trunc('milliseconds', outdial_now()) AS now)
    UPDATE enrollments e SET
      look_at = CASE WHEN e.status IN ('active', 'paused') THEN clock.now ELSE e.look_at END,
      end_reason = CASE WHEN $2::boolean AND e.status = 'completed' THEN 'goal' ELSE e.end_reason END,
      updated_at = CASE WHEN $2::boolean AND e.status = 'completed' AND e.end_reason <> 'goal' THEN clock.now ELSE e.updated_at END,
      timeline = e.timeline || (jsonb_build_object('at', ${isoInstant('clock.now')}) || $3::jsonb)
    FROM clock
    WHERE e.id = $1`,
};
