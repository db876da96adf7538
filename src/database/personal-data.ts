import { type Query, query, type Statement } from './transactions.js';

/** How long the rows of a table stay. */
export type Retention =
  /** Until the contact is erased. */
  | 'contact'
  /** The team's or the platform's `callRetentionDays`, counted from the end of a call. */
  | 'calls'
  /** The team's or the platform's `eventRetentionDays`. */
  | 'events'
  /** As long as the row of another table to which the row belongs. */
  | 'owner'
  /** 24 hours. */
  | 'day'
  /** Until the import is processed or has ended, at most three days. */
  | 'import'
  /** A week after the import has ended. */
  | 'results'
  /** Until the operator removes the row. */
  | 'removal'
  /**
   * As proof of what a person asked for or agreed to. The ledger of Do Not Call: five years, and as long as the number is
   * on a list. Consents: `CONSENT_RETENTION_DAYS` from their end, also after an erasure.
   */
  | 'proof';

/** The person to export or erase. */
export interface Person {
  teamId: string;
  contactId: string;
  /** E.164. */
  phoneNumber: string;
  /** The erased number, which replaces the number. */
  erasedNumber: string;
  /** The second form of the person's number, and its erased form; null: there is none. */
  otherNumber: string | null;
  otherErasedNumber: string | null;
  email: string | null;
}

/** One statement of the transaction that erases a person. */
export interface ErasureStep {
  /** @param round counted from 0, for a step that needs several rounds. */
  query(person: Person, round: number): Query;
  /** Whether another round follows. @param affected the number of rows that this round changed. */
  again?(affected: number, round: number): boolean;
}

/**
 * Steps that replace both forms of the person's number by their erased forms.
 * @param statement $1 team, $2 number or null, $3 erased form or null.
 */
export function inErasedForm(statement: Statement): ErasureStep[] {
  return [
    {
      query: ({ teamId, phoneNumber, erasedNumber }) => query(statement, teamId, phoneNumber, erasedNumber),
    },
    {
      query: ({ teamId, otherNumber, otherErasedNumber }) =>
        query(statement, teamId, otherNumber, otherErasedNumber),
    },
  ];
}

/** How the rows of a person are exported. */
export interface PersonalExport {
  /** Key in the document. */
  as: string;
  /** Whether the export is one object instead of a list. */
  one?: true;
  /** The cursor of the first page. */
  first: readonly string[];
  /** Returns {@link ExportedRow}s, in the order of their cursors. */
  page: (person: Pick<Person, 'teamId' | 'contactId' | 'phoneNumber'>, after: readonly string[]) => Query;
}

export interface ExportedRow {
  /** JSON. */
  item: string;
  /** The cursor of the page after this row. */
  after: string[];
}

/** A table with rows about persons. */
export interface PersonalTable {
  table: string;
  /** Columns with personal data. */
  personal: readonly string[];
  /** Other columns of text, JSON or bytes, which hold no personal data. */
  facts: readonly string[];
  retention: Retention;
  erase: readonly ErasureStep[];
  /** null: the export of another table contains the same data. */
  exported: PersonalExport | null;
}

/** A table without rows about persons. */
export interface ImpersonalTable {
  table: string;
  /** Why there is nothing to erase. */
  holds: string;
}

/** The registration of a folder's tables, which the root composes. */
export interface PersonalDataPart {
  personal: readonly PersonalTable[];
  impersonal: readonly ImpersonalTable[];
}

/** The tables of this folder. */
export const DATABASE_PERSONAL_DATA: PersonalDataPart = {
  personal: [],
  impersonal: [
    { table: 'migrations', holds: 'names of migrations' },
    { table: 'repeatable_scripts', holds: 'names and hashes of scripts' },
  ],
};
