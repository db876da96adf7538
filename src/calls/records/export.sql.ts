import { decisionsOf, firstMessageOf, promptOf, variablesOf } from '../../dialing/facts/details.sql.js';
import { isoInstant } from '../../database/iso-instant.js';
import { type Statement } from '../../database/transactions.js';
import { resultOf } from '../../results/results.sql.js';

const CALLS_A_PAGE = 25;

/**
 * A page of the calls to a number, the oldest first. $1 team, $2 number, $3 and $4 accepted_at and id to
 * begin after.
 */
export const EXPORT_CALLS: Statement = {
  name: 'export_calls',
  text: `
    SELECT json_build_object(
      'callRequestId', r.id, 'agentId', r.agent_id, 'status', r.status, 'reason', r.reason,
      'acceptedAt', ${isoInstant('r.accepted_at')}, 'runsAt', ${isoInstant('r.runs_at')},
      'processedAt', ${isoInstant('r.processed_at')}, 'answeredAt', ${isoInstant('r.answered_at')},
      'endedAt', ${isoInstant('r.ended_at')}, 'durationSeconds', r.duration_seconds,
      'phoneNumber', r.phone_number, 'callerId', r.caller_id, 'timezone', r.timezone, 'variables', ${variablesOf('r')},
      'prompt', ${promptOf('r')}, 'firstMessage', ${firstMessageOf('r')}, 'unknownPlaceholders', r.unknown_placeholders,
      'history', r.history, 'decisions', ${decisionsOf('r')}, 'result', ${resultOf('r.id')})::text AS item,
      ARRAY[r.accepted_at::text, r.id::text] AS after
    FROM call_requests r
    WHERE r.team_id = $1 AND r.phone_number = $2 AND (r.accepted_at, r.id) > ($3::timestamptz, $4::uuid)
    ORDER BY r.accepted_at, r.id
    LIMIT ${CALLS_A_PAGE}`,
};
