import { notCalledWarnings } from '../campaigns/enrollment/campaign-warnings.js';
import { type Warning } from '../domain/near-misses.js';
import { type ContactColumn } from '../domain/contact-columns.js';
import { type ImportMode, type ImportStatus, type ImportType } from './import.entity.js';
import { type RowWarning } from './row-result.js';
import { type FoundImport, type ImportRow, type ResultRow, type UndoRow } from './sql/read.sql.js';
import { KEPT_CONTACTS, type KeptContact, type UndoCounts, type UndoneContact } from './undo-counts.js';

/** An import as its team sees it. Instants are ISO 8601 in UTC. */
export interface ImportView {
  importId: string;
  status: ImportStatus;
  /** What the rows are. The rows of an import of `suppressions` are numbers that go on the Do Not Call list, and those of `consents` are consents. */
  type: ImportType;
  mode: ImportMode;
  campaignId: string | null;
  versionId: string | null;
  /** Rows of the file, as far as it was uploaded. */
  rows: number;
  /**
   * The number of processed rows whose contact was created. `updated`: whose contact existed before.
   * `enrolled`: whose contact was enrolled. `failed`: rows with an error.
   */
  created: number;
  updated: number;
  enrolled: number;
  failed: number;
  /** The number of processed rows with a warning. */
  warned: number;
  /** The number of stored rows without a time zone. */
  withoutTimezone: number;
  /** The number of processed rows whose contact was that of an earlier row. */
  repeatedNumbers: number;
  /** The number of stored rows by the country of their phone number. */
  countries: Record<string, number>;
  error: string | null;
  createdAt: string;
  finishedAt: string | null;
  /** Why contacts that the import enrolls are not called now. Absent if there is no such reason. */
  warnings?: readonly Warning[];
}

/** What a column of a CSV file was taken for. A half of a name is a field and a custom property. */
export interface ImportColumnView {
  header: string;
  field?: string;
  customProperty?: string;
  ignored?: true;
}

/** What the undo of an import did so far, and what it could not undo. Instants are ISO 8601 in UTC. */
export interface ImportUndoView extends UndoCounts {
  beganAt: string;
  finishedAt: string | null;
}

/** An import, the columns of its file (null for NDJSON), and its undo (null if there is none). */
export interface ImportWithColumns extends ImportView {
  columns: ImportColumnView[] | null;
  undo: ImportUndoView | null;
}

/** The answer to an upload. */
export interface ImportStarted {
  importId: string;
  columns: ImportColumnView[] | null;
  /** As those of the import. */
  warnings?: readonly Warning[];
}

/** The result of a row. */
export interface ImportResultView {
  /** Counts data rows from 1. */
  row: number;
  phoneNumber?: string;
  contactId?: string;
  externalId?: string;
  enrollmentId?: string;
  notEnrolled?: string;
  /** What was left out of the row. */
  warnings?: RowWarning[];
  error?: string;
  /** Why the undo has kept the contact that the row created. */
  notUndone?: KeptContact;
}

export function importViewOf(row: ImportRow): ImportView {
  const { campaign_status: status, has_steps: hasSteps } = row;
  const warnings = status === null ? [] : notCalledWarnings({ status, hasSteps: hasSteps === true });
  return {
    importId: row.id,
    status: row.status,
    type: row.type,
    mode: row.mode,
    campaignId: row.campaign_id,
    versionId: row.version_id,
    rows: row.rows,
    created: row.created,
    updated: row.updated,
    enrolled: row.enrolled,
    failed: row.failed,
    warned: row.warned,
    withoutTimezone: row.without_timezone,
    repeatedNumbers: row.repeated_numbers,
    countries: row.countries,
    error: row.error,
    createdAt: row.created_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
    ...(warnings.length > 0 && { warnings }),
  };
}

export function columnViewsOf(columns: readonly ContactColumn[] | null): ImportColumnView[] | null {
  return (
    columns?.map(({ header, field, customProperty }) => ({
      header,
      ...(field !== null && { field }),
      ...(customProperty !== null && { customProperty }),
      ...(field === null && customProperty === null && { ignored: true as const }),
    })) ?? null
  );
}

export function importWithColumnsOf(row: FoundImport): ImportWithColumns {
  return { ...importViewOf(row), columns: columnViewsOf(row.mapping), undo: undoOf(row) };
}

function undoOf({ undo, undo_began_at: beganAt, undone_at: undoneAt }: UndoRow): ImportUndoView | null {
  if (undo === null || beganAt === null) return null;
  return { ...undo, beganAt: beganAt.toISOString(), finishedAt: undoneAt?.toISOString() ?? null };
}

export function resultViewOf(row: ResultRow): ImportResultView {
  return {
    row: row.row,
    ...(row.phone_number !== null && { phoneNumber: row.phone_number }),
    ...(row.contact_id !== null && { contactId: row.contact_id }),
    ...(row.external_id !== null && { externalId: row.external_id }),
    ...(row.enrollment_id !== null && { enrollmentId: row.enrollment_id }),
    ...(row.not_enrolled !== null && { notEnrolled: row.not_enrolled }),
    ...(row.warnings !== null && { warnings: row.warnings }),
    ...(row.error !== null && { error: row.error }),
    ...(isKept(row.undone) && { notUndone: row.undone }),
  };
}

function isKept(undone: UndoneContact | null): undone is KeptContact {
  return KEPT_CONTACTS.some((one) => one === undone);
}
