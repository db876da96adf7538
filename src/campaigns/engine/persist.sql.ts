import { type NewClaim } from '../../dialing/claim/claim.sql.js';
import { countCalls, monthOf } from '../../dialing/facts/plan.sql.js';
import { type Statement } from '../../database/transactions.js';
import { type HistoryEntry, phaseOf } from '../../domain/call-states.js';
import { type EnrollmentStatus } from '../enrollment/enrollment.entity.js';
import { type TimelineEntry } from './timeline.js';

/** A call request of an enrollment, which is stored as claimed. */
export interface NewDial extends Omit<NewClaim, 'entry'> {
  enrollment_id: string;
  seq: number;
  team_id: string;
  campaign_id: string;
  agent_id: string;
  contact_id: string;
  phone_number: string;
  variables: Record<string, unknown>;
  expires_at: Date;
  step: string;
  callback: boolean;
  history: HistoryEntry[];
}

/**
 * Stores calls as claimed: each row is written once, in the state `dialing`. The key of `enrollment_dials`
 * refuses a second dial from the same state of the enrollment. $1 an array of {@link NewDial} as JSON.
 */
export const CLAIM_DIALS: Statement = {
  name: 'claim_dials',
  text: `
    WITH new AS MATERIALIZED (
      SELECT q.*, ${monthOf('q.now')} AS month
      FROM json_to_recordset($1) AS q (
        id uuid, generation integer, enrollment_id uuid, seq integer, team_id uuid, campaign_id uuid, agent_id uuid, contact_id uuid,
        phone_number text, variables jsonb, now timestamptz, expires_at timestamptz, step text, callback boolean, history jsonb,
        caller_id text, prompt text, first_message text, unknown_placeholders text[], carrier text, decision jsonb, limited boolean)
    ), dial AS (
      INSERT INTO enrollment_dials (enrollment_id, seq, team_id, campaign_id, call_request_id, step, callback, claimed_at)
      SELECT enrollment_id, seq, team_id, campaign_id, id, step, callback, now FROM new
    ), kept AS (
      -- A call with a UUID of version 7 has its prompts and variables here, and not in its own row.
      INSERT INTO call_details (id, generation, team_id, decision, prompt, first_message, variables)
      SELECT id, generation, team_id, decision, prompt, first_message, nullif(variables, '{}') FROM new
    ), counted AS (
      ${countCalls('SELECT team_id, month, count(*)::integer FROM new WHERE limited GROUP BY 1, 2')}
    )
    INSERT INTO call_requests (
      id, generation, team_id, agent_id, contact_id, enrollment_id, phone_number, status, phase, accepted_at, runs_at, expires_at,
      woken_at, claimed_at, processed_at, counted_month, caller_id, unknown_placeholders, carrier, history)
    SELECT id, generation, team_id, agent_id, contact_id, enrollment_id, phone_number, 'dialing', ${phaseOf('dialing')}, now, now, expires_at,
      now, now, now, month, caller_id, unknown_placeholders, carrier, history
    FROM new`,
};

/** The `settle_at` of an enrollment that is to be decided at once, before all others. */
export const AT_ONCE = '-infinity';

/** The order of due dials. */
export const DIAL_RANK = { callback: 0, waiting: 1, unseen: 2 } as const;

/** The new state of an enrollment. */
export interface EnrollmentChange {
  id: string;
  now: Date;
  status: EnrollmentStatus;
  end_reason: string | null;
  step: string | null;
  waiting_for: string | null;
  next_attempt_at: Date | null;
  look_at: Date | null;
  settle_at: Date | typeof AT_ONCE | null;
  dial_rank: number;
  entries: TimelineEntry[];
  /** Whether a call of the enrollment is claimed with this change. */
  dialed: boolean;
}

/** The rows are locked by this transaction. $1 an array of {@link EnrollmentChange} as JSON. */
export const CHANGE_ENROLLMENTS: Statement = {
  name: 'change_enrollments',
  text: `
    UPDATE enrollments e SET
      status = q.status, end_reason = q.end_reason, step = q.step, waiting_for = q.waiting_for,
      next_attempt_at = q.next_attempt_at, look_at = q.look_at,
      settle_at = q.settle_at, dial_rank = q.dial_rank, timeline = e.timeline || q.entries,
      calls = CASE WHEN q.dialed THEN jsonb_set(e.calls, '{under_way}', to_jsonb(coalesce((e.calls->>'under_way')::integer, 0) + 1))
        ELSE e.calls END,
      ended_at = CASE WHEN q.end_reason IS NOT NULL THEN q.now END,
      updated_at = CASE WHEN q.status <> e.status THEN q.now ELSE e.updated_at END
    FROM json_to_recordset($1) AS q (
      id uuid, now timestamptz, status text, end_reason text, step text, waiting_for text, next_attempt_at timestamptz,
      look_at timestamptz, settle_at timestamptz, dial_rank smallint, entries jsonb, dialed boolean)
    WHERE e.id = q.id`,
};

/**
 * Postpones an enrollment by one minute, because it could not be decided and must not delay other
 * enrollments. $1 id.
 */
export const POSTPONE: Statement = {
  name: 'postpone_enrollment',
  text: `
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now)
    UPDATE enrollments e SET
      look_at = CASE WHEN e.look_at IS NOT NULL THEN clock.now + interval '1 minute' END,
      settle_at = CASE WHEN e.settle_at <= clock.now THEN clock.now + interval '1 minute' ELSE e.settle_at END
    FROM clock
    WHERE e.id = $1 AND e.status IN ('active', 'paused')`,
};
