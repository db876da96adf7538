import { type CampaignStatus } from '../../campaigns/definition/campaign.entity.js';
import { HAS_STEPS } from '../../campaigns/enrollment/first-look.sql.js';
import { FilterColumns } from '../../lists/filter-sql.js';
import { exactInstant } from '../../lists/newest-first.js';
import { type ContactColumn } from '../../domain/contact-columns.js';
import { type Statement } from '../../database/transactions.js';
import { type FailedRow, type RowResult, type RowWarning } from '../row-result.js';
import { IMPORT_FILTERS } from '../import-filters.js';
import { type ImportMode, type ImportStatus, type ImportType } from '../import.entity.js';
import { type UndoCounts, type UndoneContact } from '../undo-counts.js';

export interface ImportRow extends Record<string, unknown> {
  id: string;
  status: ImportStatus;
  type: ImportType;
  mode: ImportMode;
  campaign_id: string | null;
  version_id: string | null;
  rows: number;
  created: number;
  updated: number;
  enrolled: number;
  failed: number;
  warned: number;
  without_timezone: number;
  repeated_numbers: number;
  countries: Record<string, number>;
  error: string | null;
  created_at: Date;
  finished_at: Date | null;
  /** Null without a campaign; the same for `has_steps`. */
  campaign_status: CampaignStatus | null;
  has_steps: boolean | null;
}

/** The columns of a CSV file; null for NDJSON. */
export interface ColumnsRow extends Record<string, unknown> {
  mapping: ContactColumn[] | null;
}

/** SQL condition: the import `i` was not held for too long. Such an import is gone, and a worker removes it. */
export const IS_THERE = `NOT (i.status = 'held' AND i.leased_until <= outdial_now())`;

/** What an undo did; null: the import was not undone. */
export interface UndoRow extends Record<string, unknown> {
  undo: UndoCounts | null;
  undo_began_at: Date | null;
  undone_at: Date | null;
}

/** An import that was looked up by its id. */
export type FoundImport = ImportRow & UndoRow & ColumnsRow;

/** SQL: the columns of an {@link UndoRow} of the import `i`. */
export const UNDO_COLUMNS = 'i.undo, i.undo_began_at, i.undone_at';

/** SQL: the columns of an {@link ImportRow} of the import `i`. */
export const COLUMNS = `i.id, i.status, i.type, i.mode, i.campaign_id, i.version_id, i.rows, i.created, i.updated, i.enrolled, i.failed, i.warned,
      i.without_timezone, i.repeated_numbers, i.countries, i.error, i.created_at, i.finished_at,
      (SELECT p.status FROM campaigns p WHERE p.id = i.campaign_id) AS campaign_status,
      (SELECT ${HAS_STEPS} FROM campaign_versions v WHERE v.id = i.version_id) AS has_steps`;

export const IMPORT_FILTER_COLUMNS = new FilterColumns(IMPORT_FILTERS, 5);

/**
 * The imports of a team, the newest first. $1 team, $2 instant and $3 id to begin after, $4 how many, from $5
 * the filters, where null is a filter that was not sent.
 */
export const LIST_IMPORTS: Statement = {
  name: 'list_imports',
  text: `
    SELECT ${COLUMNS}, ${exactInstant('i.created_at')} AS at, i.id::text AS key
    FROM imports i
    WHERE i.team_id = $1 AND (i.created_at, i.id) < ($2::timestamptz, $3::uuid) AND ${IS_THERE} AND ${IMPORT_FILTER_COLUMNS.matches()}
    ORDER BY i.created_at DESC, i.id DESC LIMIT $4`,
};

/** $1 import, $2 team. */
export const FIND_IMPORT: Statement = {
  name: 'find_import',
  text: `SELECT ${COLUMNS}, ${UNDO_COLUMNS}, i.mapping FROM imports i WHERE i.team_id = $2 AND i.id = $1 AND ${IS_THERE}`,
};

/** Ends an import that has not ended; what was stored by then stays. $1 import, $2 team. */
export const CANCEL_IMPORT: Statement = {
  name: 'cancel_import',
  text: `
    UPDATE imports i SET status = 'canceled', finished_at = date_trunc('milliseconds', outdial_now()), leased_until = NULL
    WHERE i.team_id = $2 AND i.id = $1 AND i.status IN ('staging', 'held', 'running') AND ${IS_THERE}
    RETURNING ${COLUMNS}, ${UNDO_COLUMNS}, i.mapping`,
};

/** Lets the worker process an import that is held. It returns no row for another one. $1 import, $2 team. */
export const START_IMPORT: Statement = {
  name: 'start_import',
  text: `
    UPDATE imports i SET status = 'running', leased_until = outdial_now()
    WHERE i.team_id = $2 AND i.id = $1 AND i.status = 'held' AND ${IS_THERE}
    RETURNING ${COLUMNS}, ${UNDO_COLUMNS}, i.mapping`,
};

export interface ResultRow extends Record<string, unknown> {
  row: number;
  phone_number: string | null;
  external_id: string | null;
  contact_id: string | null;
  enrollment_id: string | null;
  not_enrolled: string | null;
  warnings: RowWarning[] | null;
  error: string | null;
  /** What the undo did to the contact. */
  undone: UndoneContact | null;
  first_row: number;
}

/**
 * The results of one stored batch, with the phone numbers and external ids that the contacts have now. $1 import, $2 team, $3
 * first row of the previous batch or 0, $4 whether batches without a failed row are skipped.
 */
export const RESULTS_OF_IMPORT: Statement = {
  name: 'results_of_import',
  text: `
    WITH batch AS MATERIALIZED (
      SELECT r.first_row, r.results FROM import_results r
      WHERE r.team_id = $2 AND r.import_id = $1 AND r.first_row > $3 AND (NOT $4::boolean OR r.failed > 0)
      ORDER BY r.first_row LIMIT 1
    ), result AS MATERIALIZED (
      SELECT b.first_row, b.first_row + e.n::integer - 1 AS row, (e.value ->> 'contactId')::uuid AS contact_id,
        (e.value ->> 'enrollmentId')::uuid AS enrollment_id, e.value ->> 'notEnrolled' AS not_enrolled, e.value -> 'warnings' AS warnings, e.value ->> 'error' AS error
      FROM batch b CROSS JOIN LATERAL json_array_elements(b.results) WITH ORDINALITY AS e (value, n)
    )
    SELECT result.*, c.phone_number, c.external_id, x.undone
    FROM result LEFT JOIN contacts c ON c.id = result.contact_id AND c.team_id = $2 AND c.erased_at IS NULL
    LEFT JOIN import_contacts x ON x.import_id = $1 AND x.contact_id = result.contact_id AND x.team_id = $2
    ORDER BY result.row`,
};

export interface FailedRowsRow extends Record<string, unknown> {
  first_row: number;
  results: RowResult[];
  failed_rows: FailedRow[];
}

/**
 * The results of one stored batch with failed rows, and these rows. $1 import, $2 team, $3 first row of the
 * previous batch or 0.
 */
export const FAILED_ROWS_OF_IMPORT: Statement = {
  name: 'failed_rows_of_import',
  text: `
    SELECT r.first_row, r.results, r.failed_rows FROM import_results r
    WHERE r.team_id = $2 AND r.import_id = $1 AND r.first_row > $3 AND r.failed > 0
    ORDER BY r.first_row LIMIT 1`,
};
