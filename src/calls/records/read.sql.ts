import { type Statement } from '../../database/transactions.js';
import { type CallResultView } from '../../http/call-result-fields.js';
import { campaignOf, externalIdOf } from '../../dialing/facts/external-ids.sql.js';
import { decisionsOf, firstMessageOf, promptOf, variablesOf } from '../../dialing/facts/details.sql.js';
import { type CallState } from '../../domain/call-states.js';
import { resultOf } from '../../results/results.sql.js';

/** The columns that a list shows as well. */
export interface ListedCallRow {
  id: string;
  agent_id: string;
  enrollment_id: string | null;
  /** Of the enrollment. */
  campaign_id: string | null;
  accepted_at: Date;
  status: CallState;
  reason: string | null;
  runs_at: Date;
  expires_at: Date;
  contact_id: string;
  /** Of the contact. */
  external_id: string | null;
  phone_number: string;
  caller_id: string | null;
  answered_at: Date | null;
  ended_at: Date | null;
  duration_seconds: number | null;
  first_message: string | null;
  unknown_placeholders: string[];
  result: CallResultView | null;
}

export interface CallRow extends ListedCallRow {
  now: Date;
  generation: number;
  not_before: Date | null;
  not_after: Date | null;
  prompt: string | null;
  history: unknown[];
}

/**
 * SQL: the columns of a {@link ListedCallRow} that are columns of the call, its contact or its enrollment.
 * @param call its relation.
 */
export function callColumns(call: string): string {
  const names = [
    'id',
    'agent_id',
    'enrollment_id',
    'accepted_at',
    'status',
    'reason',
    'runs_at',
    'expires_at',
    'contact_id',
    'phone_number',
    'caller_id',
    'answered_at',
    'ended_at',
    'duration_seconds',
    'unknown_placeholders',
  ];
  return `${names.map((name) => `${call}.${name}`).join(', ')}, ${idsOfCall(call)}`;
}

/** SQL: the ids that a call has of its contact and its enrollment. @param call its relation. */
export function idsOfCall(call: string): string {
  return `${externalIdOf(`${call}.contact_id`)} AS external_id, ${campaignOf(`${call}.enrollment_id`)} AS campaign_id`;
}

/** $1 call request, $2 team. */
export const FIND_CALL: Statement = {
  name: 'find_call',
  text: `
    SELECT outdial_now() AS now, r.generation, ${callColumns('r')}, r.not_before, r.not_after, ${promptOf('r', '$1')} AS prompt,
      ${firstMessageOf('r', '$1')} AS first_message, r.history, ${resultOf('r.id')} AS result
    FROM call_requests r WHERE r.id = $1 AND r.team_id = $2`,
};

/** What a call shows of its contact and its enrollment. */
export type IdsOfCall = Pick<ListedCallRow, 'external_id' | 'campaign_id'>;

/** The same of several calls. $1 call requests. */
export const IDS_OF_CALLS = `SELECT r.id, ${idsOfCall('r')} FROM call_requests r WHERE r.id = ANY($1::uuid[])`;

/** The details and the result of a call, which may be in other tables than the call. */
export interface CallDetailsRow extends IdsOfCall {
  variables: Record<string, unknown>;
  prompt: string | null;
  first_message: string | null;
  decisions: unknown[];
  result: CallResultView | null;
}

/** $1 call request. */
export const DETAILS_OF_CALL = `
  SELECT ${variablesOf('r', '$1')} AS variables, ${promptOf('r', '$1')} AS prompt, ${firstMessageOf('r', '$1')} AS first_message,
    ${decisionsOf('r', '$1')} AS decisions, ${resultOf('r.id')} AS result, ${idsOfCall('r')}
  FROM call_requests r WHERE r.id = $1`;
