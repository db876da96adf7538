import { type QueryResult, type QueryResultRow } from 'pg';
import { query, type TransactionStep } from '../../database/transactions.js';
import { type ErasedForms } from '../../domain/erased-number.js';
import { ERASED_FACTS, type ErasedFactsRow, type SharedFactsRow } from './facts.sql.js';

/** A number whose team has erased contacts. */
export interface AskedNumber {
  teamId: string;
  phoneNumber: string;
}

/** The facts of a number that its erased form adds to. */
type NumberFacts = Pick<SharedFactsRow, 'has_erased_numbers' | 'on_do_not_call' | 'processed_at_ms'>;

/** The facts of numbers under their erased forms. */
export class ErasedFacts {
  private readonly rows = new Map<string, ErasedFactsRow>();

  constructor(asked: AskedNumber[] = [], result?: QueryResult<QueryResultRow>) {
    for (const row of (result?.rows ?? []) as ErasedFactsRow[]) {
      const one = asked[row.n];
      if (one !== undefined) this.rows.set(keyOf(one), row);
    }
  }

  callsTo(asked: AskedNumber): ErasedCalls {
    const erased = this.rows.get(keyOf(asked));
    return {
      processedAt: erased?.capped_at_ms ?? [],
      lastConversationAt: erased?.last_conversation_at ?? null,
    };
  }

  /** The facts with those of the erased form. If these were not read, the facts stay unchanged and cannot be used for a decision. */
  addTo<Row extends NumberFacts>(row: Row, asked: AskedNumber): Row {
    const erased = this.rows.get(keyOf(asked));
    if (erased === undefined) return row;
    return {
      ...row,
      has_erased_numbers: false,
      on_do_not_call: row.on_do_not_call || erased.on_do_not_call,
      processed_at_ms: [...(row.processed_at_ms ?? []), ...(erased.processed_at_ms ?? [])],
    };
  }
}

/** The calls to a number under its erased form that caps of campaigns count. */
export interface ErasedCalls {
  /** Instants of processed calls, in ms. */
  processedAt: number[];
  lastConversationAt: Date | null;
}

/**
 * Reads the facts of numbers under their erased forms, in a further round trip, if their teams have erased numbers. Without the key
 * it reads nothing, and the calls cannot be decided.
 */
export function readErasedFacts<T>(
  numbers: ErasedForms,
  asked: AskedNumber[],
  decide: (erased: ErasedFacts) => TransactionStep<T>,
): TransactionStep<T> {
  if (asked.length === 0 || !numbers.configured) return decide(new ErasedFacts());
  const teams = asked.map(({ teamId }) => teamId);
  const forms = asked.map(({ teamId, phoneNumber }) => numbers.formOf(teamId, phoneNumber));
  return {
    next: [query(ERASED_FACTS, teams, forms)],
    decide: ([result]) => {
      const rows = (result?.rows ?? []) as ErasedFactsRow[];
      // A different key finds no rows, which would look like numbers without a history.
      const known = rows.every(({ check_value: check }) => check === numbers.checkValue());
      return decide(known ? new ErasedFacts(asked, result) : new ErasedFacts());
    },
  };
}

function keyOf({ teamId, phoneNumber }: AskedNumber): string {
  return `${teamId} ${phoneNumber}`;
}
