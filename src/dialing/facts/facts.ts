import { type QueryResult, type QueryResultRow } from 'pg';
import {
  type OpenTransaction,
  type Query,
  query,
  type TransactionStep,
} from '../../database/transactions.js';
import { type HoursFacts, zoneOf, zoneSourceOf } from '../../domain/calling-hours.js';
import { type ErasedForms, ErasureKeyError } from '../../domain/erased-number.js';
import { type CallOfEntry, scopeOfEntries, type SuppressionScope } from '../../domain/limited-entry.js';
import { numbersOfPerson } from '../../domain/person-number.js';
import { type GuardrailFacts } from '../../domain/guardrails/guardrail.js';
import { teamRulesOf } from '../../domain/team-settings.js';
import { ERASED_FACTS, type ErasedFactsRow, type SharedFactsRow } from './facts.sql.js';
import { type TriedLocksRow } from './locks.sql.js';

/** A phone number of a team. */
export interface NumberOfTeam {
  teamId: string;
  phoneNumber: string;
}

/** The facts of a number to which the facts of its erased form are added. */
type NumberFacts = Pick<
  SharedFactsRow,
  'has_erased_numbers' | 'on_do_not_call' | 'limited_do_not_call' | 'processed_at_ms'
>;

/** The facts of numbers under their erased forms. */
export class ErasedFacts {
  private readonly rows = new Map<string, ErasedFactsRow>();

  /** @param asked the number of each row; a number has a row for each form of its person's number. */
  constructor(asked: NumberOfTeam[] = [], result?: QueryResult<QueryResultRow>) {
    for (const row of (result?.rows ?? []) as ErasedFactsRow[]) {
      const one = asked[row.n];
      if (one === undefined) continue;
      const earlier = this.rows.get(keyOf(one));
      this.rows.set(keyOf(one), earlier === undefined ? row : merged(earlier, row));
    }
  }

  callsTo(asked: NumberOfTeam): ErasedCalls {
    const erased = this.rows.get(keyOf(asked));
    return {
      processedAt: erased?.capped_at_ms ?? [],
      lastConversationAt: erased?.last_conversation_at ?? null,
    };
  }

  /**
   * The facts of a row, with the facts of the erased form. If the facts of the erased form were not read, the
   * row stays unchanged. It cannot be used for a decision if `has_erased_numbers` is true.
   */
  addTo<Row extends NumberFacts>(row: Row, asked: NumberOfTeam): Row {
    const erased = this.rows.get(keyOf(asked));
    if (erased === undefined) return row;
    return {
      ...row,
      has_erased_numbers: false,
      on_do_not_call: row.on_do_not_call || erased.on_do_not_call,
      limited_do_not_call: both(row.limited_do_not_call, erased.limited_do_not_call),
      processed_at_ms: [...(row.processed_at_ms ?? []), ...(erased.processed_at_ms ?? [])],
    };
  }
}

function merged(one: ErasedFactsRow, other: ErasedFactsRow): ErasedFactsRow {
  const conversations = [one, other].flatMap((row) => row.last_conversation_at ?? []);
  return {
    ...one,
    on_do_not_call: one.on_do_not_call || other.on_do_not_call,
    limited_do_not_call: both(one.limited_do_not_call, other.limited_do_not_call),
    processed_at_ms: [...(one.processed_at_ms ?? []), ...(other.processed_at_ms ?? [])],
    capped_at_ms: [...(one.capped_at_ms ?? []), ...(other.capped_at_ms ?? [])],
    last_conversation_at: conversations.sort((a, b) => b.getTime() - a.getTime())[0] ?? null,
  };
}

function both<Item>(one: Item[] | null, other: Item[] | null): Item[] | null {
  return one === null || other === null ? (one ?? other) : [...one, ...other];
}

/** The calls to a number under its erased form that caps of campaigns count. */
export interface ErasedCalls {
  /** Instants of processed calls, in ms. */
  processedAt: number[];
  lastConversationAt: Date | null;
}

/**
 * Reads the facts of numbers under their erased forms, in a further round trip, if their teams have erased
 * numbers. Without `ERASURE_KEY` it reads nothing, and calls to these numbers cannot be decided.
 */
export async function findErasedFacts(
  transaction: OpenTransaction,
  numbers: ErasedForms,
  asked: NumberOfTeam[],
): Promise<ErasedFacts> {
  if (asked.length === 0 || !numbers.configured) return new ErasedFacts();
  const forms = erasedFormsOf(numbers, asked);
  const [result] = await transaction.send([erasedFactsQuery(forms)]);
  return erasedFactsOf(numbers, forms, result);
}

/** {@link findErasedFacts} as a step of a transaction. */
export function readErasedFacts<T>(
  numbers: ErasedForms,
  asked: NumberOfTeam[],
  decide: (erased: ErasedFacts) => TransactionStep<T>,
): TransactionStep<T> {
  if (asked.length === 0 || !numbers.configured) return decide(new ErasedFacts());
  const forms = erasedFormsOf(numbers, asked);
  return {
    next: [erasedFactsQuery(forms)],
    decide: ([result]) => decide(erasedFactsOf(numbers, forms, result)),
  };
}

/** An erased form of a number. */
interface ErasedForm {
  one: NumberOfTeam;
  form: string;
}

function erasedFormsOf(numbers: ErasedForms, asked: NumberOfTeam[]): ErasedForm[] {
  return asked.flatMap((one) =>
    numbersOfPerson(one.phoneNumber).map((number) => ({ one, form: numbers.formOf(one.teamId, number) })),
  );
}

function erasedFactsQuery(forms: ErasedForm[]): Query {
  const teams = forms.map(({ one }) => one.teamId);
  return query(
    ERASED_FACTS,
    teams,
    forms.map(({ form }) => form),
  );
}

function erasedFactsOf(numbers: ErasedForms, forms: ErasedForm[], result?: QueryResult): ErasedFacts {
  const rows = (result?.rows ?? []) as ErasedFactsRow[];
  // With a different key no rows are found, and the numbers would seem to have no history.
  const known = rows.every(({ check_value: check }) => check === numbers.checkValue());
  const asked = forms.map(({ one }) => one);
  return known ? new ErasedFacts(asked, result) : new ErasedFacts();
}

function keyOf({ teamId, phoneNumber }: NumberOfTeam): string {
  return `${teamId} ${phoneNumber}`;
}

/** Whether a lock that was tried is held as the decision needs it. */
export function holdsLock(lock: TriedLocksRow['locks'][number], needsExclusive: boolean): boolean {
  return lock !== null && (lock === 'exclusive' || !needsExclusive);
}

export function hoursOf(row: SharedFactsRow, requestTimezone: string | null): HoursFacts {
  return {
    callingHours: row.calling_hours,
    closedDates: row.closed_dates,
    agentTimezone: row.agent_timezone,
    contactTimezone: row.contact_timezone,
    requestTimezone,
  };
}

/** Whose Do Not Call entry forbids a call; the widest, or null: none does. */
function suppressionOf(
  { now, ...row }: SharedFactsRow,
  of: CallOfEntry & { byPurpose: boolean },
): SuppressionScope | null {
  if (row.on_do_not_call) return 'team';
  if (row.on_platform_do_not_call) return 'platform';
  return scopeOfEntries(row.limited_do_not_call ?? [], of, now);
}

/** The zone that the request or the contact states; null: neither does. */
export function statedZoneOf({ requestTimezone, contactTimezone }: HoursFacts): string | null {
  return requestTimezone ?? contactTimezone;
}

const CANNOT_DECIDE =
  'The database holds erased numbers, and ERASURE_KEY is not set or is a different key: no call of the team can be decided';

/**
 * The facts of all guardrails but those of packs.
 *
 * @param of the agent and the campaign of the call, for Do Not Call entries that hold only for these.
 * @throws ErasureKeyError if the number may have an erased form whose facts were not read.
 */
export function guardrailsOf(
  row: SharedFactsRow,
  { country, unknownRange }: Pick<GuardrailFacts, 'country' | 'unknownRange'>,
  countedThisMonth: boolean,
  hours: HoursFacts,
  of: CallOfEntry,
): GuardrailFacts {
  if (row.has_erased_numbers) throw new ErasureKeyError(CANNOT_DECIDE);
  const rules = teamRulesOf(row);
  const scope = suppressionOf(row, { ...of, byPurpose: row.do_not_call_by_purpose });
  return {
    ...rules,
    country,
    zone: zoneOf(hours),
    zoneSource: zoneSourceOf(hours),
    unknownRange,
    whitelisted: row.whitelisted,
    planUsed: row.plan_used ?? 0,
    countedThisMonth,
    processedAt: row.processed_at_ms ?? [],
    onDoNotCall: scope !== null,
    ...(scope !== null && scope !== 'team' && { doNotCallScope: scope }),
    olderPendingCallId: row.older_pending_call_id,
    compliance: null,
  };
}
