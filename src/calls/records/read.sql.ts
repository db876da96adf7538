import { type Statement } from '../../database/transactions.js';
import { type CallState } from '../../domain/call-states.js';

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
  history: unknown[];
}

export interface CallBriefingRow {
  prompt: string | null;
  first_message: string | null;
  variables: Record<string, unknown>;
  carrier_settings: Record<string, unknown>;
}

/** What is to be said in a call that is with its carrier. $1 call request, $2 carrier, $3 the carrier's id of the call. */
export const CALL_BRIEFING: Statement = {
  name: 'call_briefing',
  text: `
    SELECT r.prompt, r.first_message, r.variables, a.carrier_settings
    FROM call_requests r JOIN voice_agents a ON a.team_id = r.team_id AND a.id = r.agent_id
    WHERE r.id = $1 AND r.status IN ('dialing', 'in_progress', 'dial_unknown')
      AND r.carrier = $2 AND (r.carrier_call_id IS NULL OR r.carrier_call_id = $3)`,
};

/** $1 call request, $2 team. */
export const FIND_CALL: Statement = {
  name: 'find_call',
  text: `
    SELECT outdial_now() AS now, id, generation, status, reason, runs_at, expires_at, contact_id, phone_number, caller_id,
      answered_at, ended_at, duration_seconds, prompt, first_message, unknown_placeholders, history
    FROM call_requests WHERE id = $1 AND team_id = $2`,
};
