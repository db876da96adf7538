import { type Statement } from '../../database/transactions.js';
import { type CallResultView } from '../../http/call-result-fields.js';
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
    SELECT outdial_now() AS now, id, generation, status, reason, runs_at, expires_at, contact_id, phone_number, caller_id,
      answered_at, ended_at, duration_seconds, prompt, first_message, unknown_placeholders, ${resultOf('call_requests.id')} AS result,
      history
    FROM call_requests WHERE id = $1 AND team_id = $2`,
};
