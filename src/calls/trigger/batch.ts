import { done, type Outcome, RETRY } from '../../database/batch-work.js';
import { type Plan, type Query, query } from '../../database/transactions.js';
import { judgeLockedKey, storeAnswer } from '../../idempotency/idempotency.js';
import { type StoredAnswerRow } from '../../idempotency/idempotency.sql.js';
import { answerOf } from './answers.js';
import { type TriedRequestLocksRow } from '../shared/locks.sql.js';
import {
  type NewCall,
  STORE_CALL_ANSWER,
  STORE_CALLS,
  type StoredCallRow,
  type TriggerFactsRow,
} from './trigger.sql.js';
import { refused, type TriggerResult } from './result.js';
import { deniedBy, foreignTeam, judge, type TriggerCommand, type TriggerOutcome } from './decide.js';

/** What a transaction has read about the requests of a batch, in their order. */
export interface TriggerBatchFacts {
  locked: TriedRequestLocksRow;
  /** Only of requests with a key that has an answer. */
  answers: (StoredAnswerRow & { n: number })[];
  rows: TriggerFactsRow[];
}

/** Judges the requests of a batch in their order, and says what is to be stored. */
export function planBatch(
  commands: TriggerCommand[],
  { locked, answers, rows }: TriggerBatchFacts,
): Plan<Outcome<TriggerOutcome>[]> {
  const earlier = new EarlierRequests();
  const stored: { command: TriggerCommand; call: NewCall; result: TriggerResult }[] = [];
  const outcomes = commands.map((command, n): Outcome<TriggerOutcome> => {
    const row = rows[n];
    const denied = deniedBy(row);
    if (row === undefined || denied !== null) return done({ result: denied ?? refused('INTERNAL') });
    if (row.team_id !== null) command.trace.teamId = row.team_id;
    const foreign = foreignTeam(command.request, row);
    if (foreign !== null) return done({ result: foreign });
    const acquired = locked.key_locks[n] === true && !earlier.hasKey(command);
    const known = knownResult(
      command,
      acquired,
      answers.find((answer) => answer.n === n),
    );
    if (known !== null) return done({ result: known });
    const lock = locked.locks[n] ?? null;
    if (lock === null || (lock === 'shared' && row.needs_exclusive_lock)) return RETRY;
    try {
      const { outcome, call } = judge(command, earlier.adjust(row, command));
      if (call !== undefined) {
        earlier.add(command, call);
        stored.push({ command, call, result: outcome.result });
      }
      return done(outcome);
    } catch (error) {
      // Facts that cannot be judged are the fault of this request alone.
      if (commands.length === 1) throw error;
      return RETRY;
    }
  });
  if (stored.length === 0) return { rollback: outcomes };
  const calls = mergeContacts(stored.map(({ call }) => call));
  return {
    commit: [query(STORE_CALLS, JSON.stringify(calls)), ...stored.flatMap(answerToStore)],
    value: ([result]) => {
      const rows = (result?.rows ?? []) as StoredCallRow[];
      const contacts = new Map(rows.map(({ id, contact_id }) => [id, contact_id]));
      return outcomes.map((outcome) => withContact(outcome, contacts));
    },
  };
}

const CONTACT_FIELDS = ['name', 'email', 'company_name', 'company_website', 'timezone'] as const;

/** The first call to a number stores the contact, with what all calls to it say; the last one that says something wins. */
function mergeContacts(calls: NewCall[]): NewCall[] {
  const first = new Map<string, NewCall>();
  for (const call of calls) {
    const number = numberOf(call.team_id, call.phone_number);
    const storing = first.get(number);
    call.stores_contact = storing === undefined;
    if (storing === undefined) first.set(number, call);
    else for (const field of CONTACT_FIELDS) storing[field] = call[field] ?? storing[field];
  }
  return calls;
}

/** @param contacts the contacts of the stored calls, by call. */
function withContact(
  outcome: Outcome<TriggerOutcome>,
  contacts: ReadonlyMap<string, string>,
): Outcome<TriggerOutcome> {
  if (!outcome.done || outcome.value.result.kind !== 'accepted') return outcome;
  const { result } = outcome.value;
  const contactId = contacts.get(result.callRequestId) ?? result.contactId;
  return done({ ...outcome.value, result: { ...result, contactId } });
}

/** What the request's `Idempotency-Key` says; null: it is to be judged. */
function knownResult(
  { key }: TriggerCommand,
  acquired: boolean,
  stored: StoredAnswerRow | undefined,
): TriggerResult | null {
  if (key === null) return null;
  const verdict = judgeLockedKey(key, acquired, stored);
  switch (verdict.kind) {
    case 'fresh':
      return null;
    case 'replay':
      return { kind: 'replayed', answer: verdict.answer };
    case 'reused':
      return refused('IDEMPOTENCY_KEY_REUSED');
    case 'in_flight':
      return refused('IDEMPOTENCY_KEY_IN_FLIGHT');
  }
}

function answerToStore({
  command: { key },
  call: { id, team_id: teamId },
  result,
}: {
  command: TriggerCommand;
  call: NewCall;
  result: TriggerResult;
}): Query[] {
  if (key === null || teamId === null) return [];
  const answer = answerOf(result);
  if (result.kind !== 'accepted') return [storeAnswer(teamId, key, answer)];
  return [storeAnswer(teamId, key, answer, STORE_CALL_ANSWER, result.contactId, id)];
}

/** What the requests before one in its batch have come to: its facts were read before that is stored. */
class EarlierRequests {
  private readonly counted = new Map<string | null, number>();
  private readonly pending = new Map<string, string>();
  private readonly timezones = new Map<string, string>();
  private readonly keys = new Set<string>();

  /** Whether one of them has the same `Idempotency-Key`; Postgres gives its lock to both. */
  hasKey({ teamId, key }: TriggerCommand): boolean {
    if (key === null) return false;
    const id = `${teamId} ${key.key}`;
    const known = this.keys.has(id);
    this.keys.add(id);
    return known;
  }

  add({ request }: TriggerCommand, call: NewCall): void {
    const number = numberOf(call.team_id, call.phone_number);
    if (call.counts) this.counted.set(call.team_id, (this.counted.get(call.team_id) ?? 0) + 1);
    if (call.ended_at === null && !this.pending.has(number)) this.pending.set(number, call.id);
    if (request.contact.timezone !== null) this.timezones.set(number, request.contact.timezone);
  }

  adjust(row: TriggerFactsRow, { request }: TriggerCommand): TriggerFactsRow {
    const number = numberOf(row.team_id, request.phoneNumber);
    return {
      ...row,
      plan_used: (row.plan_used ?? 0) + (this.counted.get(row.team_id) ?? 0),
      older_pending_call_id: row.older_pending_call_id ?? this.pending.get(number) ?? null,
      contact_timezone: this.timezones.get(number) ?? row.contact_timezone,
    };
  }
}

function numberOf(teamId: string | null, phoneNumber: string): string {
  return `${teamId} ${phoneNumber}`;
}
