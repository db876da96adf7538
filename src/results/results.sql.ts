import {
  ENROLLMENT_OF_CALL,
  type EnrollmentOfCallRow,
  JOIN_ENROLLMENT_OF_CALL,
} from '../campaigns/engine/results-of-calls.js';
import { isoInstant } from '../database/iso-instant.js';
import { type Statement } from '../database/transactions.js';
import { IS_ERASED } from '../dialing/outcome/erase.sql.js';

/** SQL: the result of a call as its readers see it; null: none. @param call SQL for its id. */
export function resultOf(call: string): string {
  return `(SELECT json_build_object(
        'disposition', u.disposition, 'callbackAt', ${isoInstant('u.callback_at')}, 'optOut', u.opt_out, 'data', u.data,
        'recordedAt', ${isoInstant('u.recorded_at')})
      FROM call_results u WHERE u.call_request_id = ${call})`;
}

/** The refusal of a callback that is probably a mistake. A callback within the last day means now. */
export const CALLBACK_OUT_OF_RANGE = 'callbackAt must be at most a day ago and at most a year ahead';

/** The facts for a result. */
export interface ResultFactsRow extends EnrollmentOfCallRow {
  phone_number: string;
  /** Whether the call was claimed, and not requeued since. */
  claimed: boolean;
  erased: boolean;
  /** Whether the call has a result. */
  known: boolean;
  /** Whether the call's result equals the reported result. */
  same: boolean;
  /** Whether the requested callback is too far away; see {@link CALLBACK_OUT_OF_RANGE}. */
  far: boolean;
}

/**
 * $1 call request, $2 team, $3 the carrier that reports or null, $4 its id of the call or null, $5 to $8 the
 * result.
 */
export const RESULT_FACTS: Statement = {
  name: 'result_facts',
  text: `
    SELECT r.phone_number, r.claimed_at IS NOT NULL AS claimed, ${IS_ERASED} AS erased, ${ENROLLMENT_OF_CALL},
      u.call_request_id IS NOT NULL AS known,
      u.disposition IS NOT DISTINCT FROM $5::text AND u.callback_at IS NOT DISTINCT FROM $6::timestamptz
        AND u.opt_out = $7::boolean AND u.data IS NOT DISTINCT FROM $8::jsonb AS same,
      coalesce($6::timestamptz NOT BETWEEN outdial_now() - interval '1 day' AND outdial_now() + interval '1 year', false) AS far
    FROM call_requests r
    LEFT JOIN call_results u ON u.call_request_id = r.id
    ${JOIN_ENROLLMENT_OF_CALL}
    WHERE r.id = $1 AND r.team_id = $2
      AND ($3::text IS NULL OR r.carrier = $3
        AND (r.carrier_call_id IS NULL OR $4::text IS NULL OR r.carrier_call_id = $4))`,
};

/** $1 call request, $2 team, $3 to $6 the result. */
export const STORE_RESULT: Statement = {
  name: 'store_result',
  text: `
    INSERT INTO call_results (call_request_id, team_id, disposition, callback_at, opt_out, data, recorded_at)
    VALUES ($1, $2, $3, $4, $5, $6, date_trunc('milliseconds', outdial_now()))`,
};

/**
 * Erases the results of the calls to a number. Each result keeps its opt-out and the instant of its report.
 * $1 team, $2 number.
 */
export const ERASE_RESULTS: Statement = {
  name: 'erase_results',
  text: `
    UPDATE call_results u SET disposition = NULL, callback_at = NULL, data = NULL
    WHERE u.team_id = $1 AND u.call_request_id = ANY (ARRAY(
      SELECT r.id FROM call_requests r WHERE r.team_id = $1 AND r.phone_number = $2))`,
};
