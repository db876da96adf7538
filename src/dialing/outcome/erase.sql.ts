import { type Statement } from '../../database/transactions.js';
import { ERASED_PREFIX } from '../../domain/erased-number.js';
import { endPendingOfNumbers } from './end-pending.sql.js';

/** The most rows that one round of {@link ERASE_CALLS} changes. */
export const CALLS_A_ROUND = 2_000;

/** SQL: whether the contact of the call `r` was erased. */
export const IS_ERASED = `starts_with(r.phone_number, '${ERASED_PREFIX}')`;

/**
 * SQL assignments for a transition of the call `r`. They delete the content of an erased call once it is no
 * longer in progress.
 *
 * @param leaves SQL: whether the call is no longer in progress.
 */
export function forgetWhatIsSaid(leaves: string): string {
  const forgets = `${IS_ERASED} AND ${leaves}`;
  return `variables = CASE WHEN ${forgets} THEN '{}' ELSE r.variables END,
      prompt = CASE WHEN NOT (${forgets}) THEN r.prompt END,
      first_message = CASE WHEN NOT (${forgets}) THEN r.first_message END`;
}

/** Cancels the pending calls to the numbers, and returns a row for each. $1 team, $2 numbers. */
export const CANCEL_CALLS_OF_NUMBER: Statement = {
  name: 'cancel_calls_of_number',
  text: `${endPendingOfNumbers(`'canceled'`, 'NULL', `'contact_erased'`)}
  SELECT id AS "callRequestId", generation FROM ended`,
};

/** Decisions without the evidence of their guardrails and the facts of packs, which are personal data. */
const DECISIONS = `(
        SELECT coalesce(jsonb_agg((CASE WHEN jsonb_typeof(kept.decision -> 'rules') = 'array'
          THEN kept.decision || jsonb_build_object('rules', (
            SELECT coalesce(jsonb_agg(rules.rule || '{"evidence": {"erased": true}}' ORDER BY rules.n), '[]')
            FROM jsonb_array_elements(kept.decision -> 'rules') WITH ORDINALITY AS rules (rule, n)))
          ELSE kept.decision END) #- '{compliance,evidence}' #- '{compliance,facts}' ORDER BY kept.n), '[]')
        FROM jsonb_array_elements(r.decisions) WITH ORDINALITY AS kept (decision, n))`;

/**
 * Erases the personal data of at most {@link CALLS_A_ROUND} calls to a number. A database trigger erases
 * their details. A call in progress keeps its content until it ends. $1 team, $2 number, $3 the erased
 * number.
 */
export const ERASE_CALLS: Statement = {
  name: 'erase_calls',
  text: `
    WITH due AS MATERIALIZED (
      SELECT id FROM call_requests WHERE team_id = $1 AND phone_number = $2
      ORDER BY id LIMIT ${CALLS_A_ROUND}
      FOR UPDATE
    )
    UPDATE call_requests r SET
      phone_number = $3, timezone = NULL, unknown_placeholders = '{}', decisions = ${DECISIONS},
      variables = CASE WHEN ${talks()} THEN r.variables ELSE '{}' END,
      prompt = CASE WHEN ${talks()} THEN r.prompt END,
      first_message = CASE WHEN ${talks()} THEN r.first_message END
    FROM due
    WHERE r.id = due.id
    RETURNING r.id`,
};

function talks(): string {
  return `r.status IN ('dialing', 'in_progress')`;
}
