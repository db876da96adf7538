import { type CarrierSettings } from '../../carriers/carrier.js';
import { type Statement } from '../../database/transactions.js';

/** A call in progress whose end is requested. */
export interface HangUpRow {
  id: string;
  carrier: string | null;
  carrier_call_id: string | null;
  phone_number: string;
  answered: boolean;
  carrier_settings: CarrierSettings;
  carrier_account_id: string | null;
  /** Whether an earlier request to hang up is recorded. */
  repeated: boolean;
}

/**
 * Records the request to hang up a call in progress, so that its end is attributed to the request. $1 call
 * request, $2 team. Returns no row for any other call.
 */
export const REQUEST_HANG_UP: Statement = {
  name: 'request_hang_up',
  text: `
    WITH found AS MATERIALIZED (
      SELECT r.id, r.hang_up_requested_at FROM call_requests r
      WHERE r.id = $1 AND r.team_id = $2 AND r.status = 'in_progress' FOR UPDATE
    )
    UPDATE call_requests r SET hang_up_requested_at = coalesce(r.hang_up_requested_at, outdial_now())
    FROM found, voice_agents a
    WHERE r.id = found.id AND a.team_id = r.team_id AND a.id = r.agent_id
    RETURNING r.id, r.carrier, r.carrier_call_id, r.phone_number, r.answered_at IS NOT NULL AS answered,
      a.carrier_settings, a.carrier_account_id, found.hang_up_requested_at IS NOT NULL AS repeated`,
};

/** Withdraws the request to hang up a call that certainly goes on. $1 call request. */
export const WITHDRAW_HANG_UP: Statement = {
  name: 'withdraw_hang_up',
  text: `
    UPDATE call_requests SET hang_up_requested_at = NULL
    WHERE id = $1 AND status IN ('in_progress', 'dial_unknown')`,
};

export interface CallUnderWayRow {
  id: string;
  team_id: string;
  in_progress: boolean;
}

/**
 * Calls that are dialed or in progress, the oldest claims first. $1 team, or null for all teams, $2 ids of calls
 * to leave out, $3 batch size.
 */
export const FIND_CALLS_UNDER_WAY: Statement = {
  name: 'find_calls_under_way',
  text: 'SELECT id, team_id, in_progress FROM find_calls_under_way($1, $2, $3)',
};
