import { done, type ItemResult, RETRY } from '../../database/batch-work.js';
import { type OpenTransaction, type Query, query } from '../../database/transactions.js';
import { triggerFieldRow } from '../../domain/contact-fields.js';
import { type TriggerDecision } from '../../domain/trigger-decision.js';
import { type WindowFault } from '../../domain/call-window.js';
import { expiryOf } from '../../domain/expiry.js';
import { type Warned, warned as warnedOf } from '../../domain/near-misses.js';
import { type KeyUse, storeAnswer } from '../../idempotency/idempotency.js';
import { type DialJob } from '../../queue/wake-ups.js';
import { phaseOf } from '../../domain/call-states.js';
import { answerOf } from './answers.js';
import { refused, type TriggerCommand, type TriggerOutcome, type TriggerResult } from './command.js';
import { type refusedBy } from './access.js';
import {
  type NewCall,
  STORE_CALL_ANSWER,
  STORE_CALLS,
  type StoredCallRow,
  type TriggerFactsRow,
} from './trigger.sql.js';

/** The decision about a request; `callRequestId` is the id of the call if one is stored. */
export interface DecidedTrigger {
  command: TriggerCommand;
  row: TriggerFactsRow;
  callRequestId: string;
  decision:
    | TriggerDecision
    | { kind: 'bad_window'; fault: WindowFault }
    | NonNullable<ReturnType<typeof refusedBy>>
    | Exclude<KeyUse, { kind: 'unused' }>;
}

type StoredDecision = Exclude<TriggerDecision, { kind: 'refused' }>;

/** Placeholder for the id of a call's contact until the statement that stores both has returned it. */
const UNKNOWN_CONTACT = '00000000-0000-0000-0000-000000000000';

/**
 * Stores the calls of a batch with their contacts in one statement, and the answers of requests with an
 * `Idempotency-Key`, and commits. If there is nothing to store, the transaction is left to be rolled back.
 *
 * @param decided a decision for each command; null: nothing was decided, and nothing is stored.
 */
export async function persist(
  transaction: OpenTransaction,
  decided: (DecidedTrigger | null)[],
): Promise<ItemResult<TriggerOutcome>[]> {
  const outcomes = decided.map((one) => (one === null ? RETRY : done(outcomeOf(one))));
  const stored = decided.flatMap((one) => (one !== null && isStored(one) ? [one] : []));
  if (stored.length === 0) return outcomes;
  const [result] = await transaction.commit([
    query(STORE_CALLS, JSON.stringify(stored.map(newCall))),
    ...stored.flatMap(answerToStore),
  ]);
  const rows = (result?.rows ?? []) as StoredCallRow[];
  const contacts = new Map(rows.map(({ id, contact_id }) => [id, contact_id]));
  return outcomes.map((outcome) => withContact(outcome, contacts));
}

function isStored(decided: DecidedTrigger): decided is DecidedTrigger & { decision: StoredDecision } {
  return ['blocked', 'queued', 'scheduled'].includes(decided.decision.kind);
}

function outcomeOf({ command, row, callRequestId, decision }: DecidedTrigger): TriggerOutcome {
  switch (decision.kind) {
    case 'denied':
    case 'refused':
    case 'blocked':
      return { result: refused(decision.reason) };
    case 'other_team':
      return { result: refused('INVALID_REQUEST', 'teamId must be the team of the API key') };
    case 'replay':
      return { result: { kind: 'replayed', answer: decision.answer } };
    case 'reused':
      return { result: refused('IDEMPOTENCY_KEY_REUSED') };
    case 'in_flight':
      return { result: refused('IDEMPOTENCY_KEY_IN_FLIGHT') };
    case 'bad_window':
      return { result: refused('INVALID_REQUEST', decision.fault.message, [decision.fault]) };
    case 'queued':
    case 'scheduled': {
      const runsAt = decision.kind === 'scheduled' ? decision.runsAt : null;
      const job: DialJob = {
        callRequestId,
        generation: 0,
        requestId: command.trace.requestId,
        teamId: row.team_id ?? undefined,
        carrier: row.carrier ?? undefined,
      };
      return {
        result: {
          kind: 'accepted',
          callRequestId,
          contactId: UNKNOWN_CONTACT,
          runsAt,
          ...warnedAbout(command, runsAt),
        },
        wake: { job, delayMs: runsAt === null ? 0 : runsAt.getTime() - row.now.getTime() },
      };
    }
  }
}

/** A call that will expire before its opening is stored, because the opening may still be moved forward. */
function warnedAbout({ warned, request: { window } }: TriggerCommand, runsAt: Date | null): Warned {
  if (runsAt === null || window.notAfter === null || runsAt < window.notAfter) return warned;
  const text = `The first opening at or after notBefore is at ${runsAt.toISOString()}. The call will expire before.`;
  return warnedOf([...(warned.warnings ?? []), { key: 'notAfter', text }]);
}

function newCall({
  command: { agentId, request },
  row: { team_id, now, monthly_call_limit, request_pool_known },
  callRequestId: id,
  decision,
}: DecidedTrigger & { decision: StoredDecision }): NewCall {
  const { phoneNumber, contact, fromPhoneNumber, numberPoolId, variables, window } = request;
  const { kind: status } = decision;
  const runsAt = status === 'scheduled' ? decision.runsAt : now;
  return {
    id,
    team_id,
    agent_id: agentId,
    phone_number: phoneNumber,
    ...triggerFieldRow(contact),
    request_timezone: contact.timezone,
    status,
    reason: status === 'blocked' ? decision.reason : null,
    from_phone_number: fromPhoneNumber,
    // A call blocked by its country may name a pool that does not exist.
    number_pool_id: request_pool_known ? numberPoolId : null,
    // A refused call is never dialed, so its variables are not needed.
    variables: status === 'blocked' ? {} : variables,
    accepted_at: now,
    runs_at: runsAt,
    expires_at: expiryOf(runsAt, window.notAfter),
    not_before: window.notBefore,
    not_after: window.notAfter,
    ended_at: status === 'blocked' ? now : null,
    counts: status === 'queued',
    limited: monthly_call_limit !== null,
    history: [{ at: now.toISOString(), from: null, to: status, cause: 'triggered' }],
    decisions: decision.decision === undefined ? [] : [decision.decision],
    phase: phaseOf(status),
  };
}

/** @param contacts the contacts of the stored calls, by call. */
function withContact(
  outcome: ItemResult<TriggerOutcome>,
  contacts: ReadonlyMap<string, string>,
): ItemResult<TriggerOutcome> {
  if (!outcome.done || outcome.value.result.kind !== 'accepted') return outcome;
  const { result } = outcome.value;
  const contactId = contacts.get(result.callRequestId) ?? result.contactId;
  return done({ ...outcome.value, result: { ...result, contactId } });
}

function answerToStore(decided: DecidedTrigger): Query[] {
  const { command, row, callRequestId } = decided;
  const { key } = command;
  if (key === null || row.team_id === null) return [];
  const result: TriggerResult = outcomeOf(decided).result;
  const answer = answerOf(result, command.trace.requestId);
  if (result.kind !== 'accepted') return [storeAnswer(row.team_id, key, answer)];
  return [storeAnswer(row.team_id, key, answer, STORE_CALL_ANSWER, result.contactId, callRequestId)];
}
