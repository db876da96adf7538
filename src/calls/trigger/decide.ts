import { randomUUID } from 'node:crypto';
import { decideTrigger, type TriggerDecision, type TriggerFacts } from '../../domain/call-decision.js';
import { expiryOf } from '../../domain/expiry.js';
import { type IdempotencyKey } from '../../idempotency/idempotency.js';
import { type DialJob } from '../../queue/call-jobs.js';
import { type RequestTrace } from '../../telemetry/request-trace.js';
import { guardrailsOf, hoursOf } from '../shared/facts.sql.js';
import { type AccessRow, callerIdFactsOf, type NewCall, type TriggerFactsRow } from './trigger.sql.js';
import { type TriggerRequest } from './request.js';
import { refused, type TriggerResult, UNKNOWN_CONTACT } from './result.js';

/** A request that is well-formed in itself. */
export interface TriggerCommand {
  /** The team of the API key, as it was known before the transaction. */
  teamId: string;
  agentId: string;
  keyHash: Buffer;
  request: TriggerRequest;
  key: IdempotencyKey | null;
  trace: RequestTrace;
}

/** What a request comes to, and the wake-up of its call. */
export type TriggerOutcome = { result: TriggerResult; wake?: { job: DialJob; delayMs: number } };

/** `call` is to be stored. */
export type TriggerVerdict = { outcome: TriggerOutcome; call?: NewCall };

/** The key is judged after the agent: that an agent exists is all that the contract reveals. */
export function deniedBy(row: AccessRow | undefined): TriggerResult | null {
  if (!row?.agent_found) return refused('AGENT_NOT_FOUND');
  return row.team_id === null ? refused('INVALID_API_KEY') : null;
}

/** A `teamId` other than the API key's team is refused before the request's `Idempotency-Key` is looked up. */
export function foreignTeam({ teamId }: TriggerRequest, row: AccessRow): TriggerResult | null {
  if (teamId === null || teamId === row.team_id) return null;
  return refused('INVALID_REQUEST', 'teamId must be the team of the API key');
}

/** Judges a request that its API key admits. */
export function judge({ agentId, request, trace }: TriggerCommand, row: TriggerFactsRow): TriggerVerdict {
  const facts: TriggerFacts = {
    hours: hoursOf(row, request.contact.timezone),
    callerId: callerIdFactsOf(row, request),
    guardrails: guardrailsOf(row, request.country, false),
  };
  const decision = decideTrigger(facts, row.now);
  if (decision.kind === 'refused') return { outcome: { result: refused(decision.reason) } };
  const callRequestId = randomUUID();
  const job: DialJob = {
    callRequestId,
    generation: 0,
    requestId: trace.requestId,
    teamId: row.team_id ?? undefined,
    carrier: row.carrier ?? undefined,
  };
  return {
    outcome: outcomeOf(job, row.now, decision),
    call: newCall(callRequestId, agentId, request, row, decision),
  };
}

function outcomeOf(
  job: DialJob,
  now: Date,
  decision: Exclude<TriggerDecision, { kind: 'refused' }>,
): TriggerOutcome {
  const { callRequestId } = job;
  switch (decision.kind) {
    case 'blocked':
      return { result: refused(decision.reason) };
    case 'queued':
      return {
        result: { kind: 'accepted', callRequestId, contactId: UNKNOWN_CONTACT, runsAt: null },
        wake: { job, delayMs: 0 },
      };
    case 'scheduled':
      return {
        result: { kind: 'accepted', callRequestId, contactId: UNKNOWN_CONTACT, runsAt: decision.runsAt },
        wake: { job, delayMs: decision.runsAt.getTime() - now.getTime() },
      };
  }
}

function newCall(
  id: string,
  agentId: string,
  { phoneNumber, contact, fromPhoneNumber, numberPoolId, variables }: TriggerRequest,
  { team_id, now, monthly_call_limit, request_pool_known }: TriggerFactsRow,
  decision: Exclude<TriggerDecision, { kind: 'refused' }>,
): NewCall {
  const { kind: status } = decision;
  const runsAt = status === 'scheduled' ? decision.runsAt : now;
  return {
    id,
    team_id,
    agent_id: agentId,
    phone_number: phoneNumber,
    name: contact.name,
    email: contact.email,
    company_name: contact.companyName,
    company_website: contact.companyWebsite,
    timezone: contact.timezone,
    request_timezone: contact.timezone,
    stores_contact: true,
    status,
    reason: status === 'blocked' ? decision.reason : null,
    from_phone_number: fromPhoneNumber,
    // A call blocked by its country may name a pool that does not exist.
    number_pool_id: request_pool_known ? numberPoolId : null,
    // A refused call is never dialed, so nothing renders them.
    variables: status === 'blocked' ? {} : variables,
    accepted_at: now,
    runs_at: runsAt,
    expires_at: expiryOf(runsAt),
    ended_at: status === 'blocked' ? now : null,
    counts: status === 'queued',
    limited: monthly_call_limit !== null,
    history: [{ at: now.toISOString(), from: null, to: status, cause: 'triggered' }],
    decisions: status === 'scheduled' ? [] : [decision.decision],
  };
}
