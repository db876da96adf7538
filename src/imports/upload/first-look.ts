import {
  type BatchedContact,
  conflictOf,
  EXISTED,
  type Holders,
  PROPERTIES_TOO_LARGE,
  type ReadRow,
} from '../../contacts/contact-batch.js';
import { type ContactFieldValues, fieldsOfRow } from '../../domain/contact-fields.js';
import { jsonBytes, MAX_JSON_BYTES } from '../../http/validators.js';
import { type ImportMode } from '../import.entity.js';
import { type ImportColumnView } from '../import-view.js';
import { NO_COUNTRY, type RowWarning } from '../row-result.js';
import { type UploadedRow } from '../work/row-reader.js';
import { NumberSet } from './number-set.js';
import { type BadRow, increment, RefusedRows } from './refused-rows.js';

/** The most rows that a first look shows. */
export const MAX_FIRST_ROWS = 20;
/** What the import would do with a row's contact. `repeated`: the contact is that of an earlier row. */
export const LOOKED_OUTCOMES = ['new', 'known', 'repeated'] as const;
type Outcome = (typeof LOOKED_OUTCOMES)[number];

/** A row as it would be stored. A field that is null stays as it is, if the team has the contact. */
export interface LookedRow extends ContactFieldValues {
  /** Counts data rows from 1. */
  row: number;
  outcome: Outcome;
  phoneNumber: string;
  customProperties: Record<string, unknown>;
  /** The campaign in which the contact would be enrolled. */
  campaignId: string | null;
  /** What would be left out. */
  warnings?: RowWarning[];
}

/** What an import of a file would do. `new`, `known`, `repeated` and `failed` add up to `rows`. */
export interface ImportLook {
  columns: ImportColumnView[] | null;
  rows: number;
  new: number;
  known: number;
  repeated: number;
  failed: number;
  warned: number;
  /** The number of failed rows by their error. */
  failures: Record<string, number>;
  /** The number of rows that would be stored without a time zone. */
  withoutTimezone: number;
  /** The number of rows that would be stored, by the country of their phone number. */
  countries: Record<string, number>;
  firstRows: LookedRow[];
  badRows: BadRow[];
}

/** A row of the file, and what it was read as. */
export interface CheckedRow {
  row: UploadedRow;
  read: ReadRow;
}

/** Counts the rows of a file as an import would, and keeps the first ones. */
export class FirstLook {
  private readonly numbers = new NumberSet();
  private readonly counts = { rows: 0, new: 0, known: 0, repeated: 0, warned: 0 };
  private withoutTimezone = 0;
  private readonly refused = new RefusedRows();
  private readonly countries = new Map<string, number>();
  private readonly firstRows: LookedRow[] = [];

  constructor(private readonly mode: ImportMode) {}

  get rows(): number {
    return this.counts.rows;
  }

  /**
   * @param holders of each row, the contacts of the team that have its number and its external id. An external id
   *   that an earlier row of the file has is not noticed.
   */
  add(checked: readonly CheckedRow[], holders: ReadonlyMap<CheckedRow, Holders>): void {
    for (const one of checked) {
      const { row, read } = one;
      this.counts.rows += 1;
      if (!read.ok) this.refuse(row, read.message);
      else if (jsonBytes(read.contact.custom_properties) > MAX_JSON_BYTES)
        this.refuse(row, PROPERTIES_TOO_LARGE);
      else this.take(row, read, holders.get(one));
    }
  }

  view(columns: ImportColumnView[] | null): ImportLook {
    return {
      columns,
      ...this.counts,
      ...this.refused.view(),
      withoutTimezone: this.withoutTimezone,
      countries: Object.fromEntries(this.countries),
      firstRows: this.firstRows,
    };
  }

  private take(
    row: UploadedRow,
    { contact, country, warnings }: Extract<ReadRow, { ok: true }>,
    holders: Holders | undefined,
  ): void {
    const isFirst = this.numbers.add(contact.phone_number);
    const isKnown = holders !== undefined && holders.of_number !== null;
    const outcome = !isFirst ? 'repeated' : isKnown ? 'known' : 'new';
    if (outcome !== 'new' && this.mode === 'create') {
      this.refuse(row, EXISTED);
      return;
    }
    const conflict = holders === undefined ? null : conflictOf(holders);
    if (conflict !== null) {
      this.refuse(row, conflict.message);
      return;
    }
    this.counts[outcome] += 1;
    if (warnings.length > 0) this.counts.warned += 1;
    if (contact.timezone === null) this.withoutTimezone += 1;
    increment(this.countries, country ?? NO_COUNTRY);
    if (this.firstRows.length < MAX_FIRST_ROWS)
      this.firstRows.push(lookedRow(this.counts.rows, outcome, contact, warnings));
  }

  private refuse(row: UploadedRow, error: string): void {
    this.refused.add(this.counts.rows, row, error);
  }
}

function lookedRow(
  row: number,
  outcome: Outcome,
  contact: BatchedContact,
  warnings: RowWarning[],
): LookedRow {
  return {
    row,
    outcome,
    phoneNumber: contact.phone_number,
    ...fieldsOfRow(contact),
    customProperties: contact.custom_properties,
    campaignId: contact.campaign_id,
    ...(warnings.length > 0 && { warnings }),
  };
}
