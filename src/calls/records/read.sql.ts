import { type Statement } from '../../database/transactions.js';
import { type CallResultView } from '../../http/call-result-fields.js';
import { decisionsOf, firstMessageOf, promptOf, variablesOf } from '../shared/details.sql.js';
import { type CallState } from '../../domain/call-states.js';
import { resultOf } from '../results/results.sql.js';

export interface CallRow {
  now: Date;
  id: string;
  generation: number;
  status: CallState;
  reason: string | null;
  runs_at: Date;
  expires_at: Date;
  contact_id: string;
  phone_number: string;
  caller_id: string | null;
  answered_at: Date | null;
  ended_at: Date | null;
  duration_seconds: number | null;
  prompt: string | null;
  first_message: string | null;
  unknown_placeholders: string[];
  result: CallResultView | null;
  history: unknown[];
}

/** $1 call request, $2 team. */
export const FIND_CALL: Statement = {
  name: 'find_call',
  text: `
    SELECT outdial_now() AS now, r.id, r.generation, r.status, r.reason, r.runs_at, r.expires_at, r.contact_id, r.phone_number,
      r.caller_id, r.answered_at, r.ended_at, r.duration_seconds, ${promptOf('r', '$1')} AS prompt,
      ${firstMessageOf('r', '$1')} AS first_message, r.unknown_placeholders, r.history, ${resultOf('r.id')} AS result
    FROM call_requests r WHERE r.id = $1 AND r.team_id = $2`,
};

/** What a call's own row need not have. */
export interface CallDetailsRow {
  variables: Record<string, unknown>;
  prompt: string | null;
  first_message: string | null;
  decisions: unknown[];
  result: CallResultView | null;
}

/** $1 call request. */
export const DETAILS_OF_CALL = `
  SELECT ${variablesOf('r', '$1')} AS variables, ${promptOf('r', '$1')} AS prompt, ${firstMessageOf('r', '$1')} AS first_message,
    ${decisionsOf('r', '$1')} AS decisions, ${resultOf('r.id')} AS result
  FROM call_requests r WHERE r.id = $1`;
