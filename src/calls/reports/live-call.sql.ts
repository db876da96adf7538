import { type Statement } from '../../database/transactions.js';
import { firstMessageOf, promptOf, variablesOf } from '../../dialing/facts/details.sql.js';

export interface CallBriefingRow {
  prompt: string | null;
  first_message: string | null;
  variables: Record<string, unknown>;
  carrier_settings: Record<string, unknown>;
}

export interface ReportedCallRow extends Record<string, unknown> {
  team_id: string;
  carrier_settings: Record<string, unknown>;
}

/** The team of a call in any state, and its agent's settings for the carrier. $1 call request, $2 carrier. */
export const REPORTED_CALL: Statement = {
  name: 'reported_call',
  text: `
    SELECT r.team_id, a.carrier_settings
    FROM call_requests r JOIN voice_agents a ON a.team_id = r.team_id AND a.id = r.agent_id
    WHERE r.id = $1 AND r.carrier = $2`,
};

/**
 * The texts and variables of a call that may be in progress, and its agent's settings for the carrier. $1
 * call request, $2 carrier, $3 the carrier's id of the call.
 */
export const CALL_BRIEFING: Statement = {
  name: 'call_briefing',
  text: `
    SELECT ${promptOf('r', '$1')} AS prompt, ${firstMessageOf('r', '$1')} AS first_message, ${variablesOf('r', '$1')} AS variables, a.carrier_settings
    FROM call_requests r JOIN voice_agents a ON a.team_id = r.team_id AND a.id = r.agent_id
    WHERE r.id = $1 AND r.status IN ('dialing', 'in_progress', 'dial_unknown')
      AND r.carrier = $2 AND (r.carrier_call_id IS NULL OR r.carrier_call_id = $3)`,
};
