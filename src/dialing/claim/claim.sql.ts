import { type Statement } from '../../database/transactions.js';
import { ACTIVE_PHASE, type HistoryEntry } from '../../domain/call-states.js';
import { type Decision } from '../../domain/guardrails/guardrails.js';
import { hasDetailsApart } from '../facts/details.sql.js';
import { countCalls, monthOf } from '../facts/plan.sql.js';

/** A call to claim, as it was decided. */
export interface NewClaim {
  id: string;
  generation: number;
  now: Date;
  caller_id: string;
  prompt: string;
  first_message: string;
  unknown_placeholders: string[];
  carrier: string;
  /** The statement fills in the call's earlier state. */
  entry: HistoryEntry;
  decision: Decision;
  /** Whether the team's plan has a limit. */
  limited: boolean;
}

/**
 * The claim: a compare-and-set that at most one firing of each generation wins. Returns a row for each call
 * that was claimed. $1 an array of {@link NewClaim} as JSON, at most one for each call, $2 `PENDING_STATES`.
 */
export const CLAIM: Statement = {
  name: 'claim',
  text: `
    WITH asked AS MATERIALIZED (
      SELECT q.*, r.counted_month AS counted_before, ${monthOf('q.now')} AS month,
        r.team_id, r.variables, ${hasDetailsApart('q.id')} AS apart
      FROM json_to_recordset($1) AS q (
        id uuid, generation integer, now timestamptz, caller_id text, prompt text, first_message text,
        unknown_placeholders text[], carrier text, entry jsonb, decision jsonb, limited boolean)
      JOIN call_requests r ON r.id = q.id
    ), claimed AS (
      UPDATE call_requests r SET
        status = 'dialing', phase = ${ACTIVE_PHASE}, claimed_at = q.now, processed_at = q.now, counted_month = q.month, woken_at = q.now, wakes = 0,
        waiting_since = NULL, line_offered_at = NULL,
        caller_id = q.caller_id, unknown_placeholders = q.unknown_placeholders, carrier = q.carrier,
        history = r.history || jsonb_set(q.entry, '{from}', to_jsonb(r.status)),
        -- If q.apart is true, these are stored in call_details, so that no later transition writes them again.
        variables = CASE WHEN q.apart THEN '{}' ELSE r.variables END,
        prompt = CASE WHEN NOT q.apart THEN q.prompt END,
        first_message = CASE WHEN NOT q.apart THEN q.first_message END,
        decisions = CASE WHEN q.apart THEN r.decisions ELSE r.decisions || q.decision END
      FROM asked q
      WHERE r.id = q.id AND r.generation = q.generation AND r.status = ANY($2)
      RETURNING r.id, r.team_id, q.limited, q.month, q.counted_before
    ), kept AS (
      INSERT INTO call_details (id, generation, team_id, decision, prompt, first_message, variables)
      SELECT q.id, q.generation, q.team_id, q.decision, q.prompt, q.first_message, nullif(q.variables, '{}')
      FROM asked q JOIN claimed ON claimed.id = q.id
      WHERE q.apart
    ), counted AS (
      ${countCalls(`
        SELECT team_id, month, sum(calls)::integer FROM (
          SELECT team_id, month, 1 AS calls FROM claimed WHERE limited AND counted_before IS DISTINCT FROM month
          UNION ALL
          SELECT team_id, counted_before, -1 FROM claimed WHERE limited AND counted_before <> month) moved
        GROUP BY 1, 2`)}
    )
    SELECT id FROM claimed`,
};
