import { notCalledWarnings } from '../campaigns/enrollment/campaign-warnings.js';
import { type Warning } from '../domain/near-misses.js';
import { type ImportMode, type ImportStatus } from './import.entity.js';
import { type ImportRow, type ResultRow } from './sql/read.sql.js';

/** An import as its team sees it. Instants are ISO 8601 in UTC. */
export interface ImportView {
  importId: string;
  status: ImportStatus;
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
  error: string | null;
  createdAt: string;
  finishedAt: string | null;
  /** Why contacts that the import enrolls are not called now. Absent if there is no such reason. */
  warnings?: readonly Warning[];
}

/** The result of a row. */
export interface ImportResultView {
  /** Counts data rows from 1. */
  row: number;
  phoneNumber?: string;
  contactId?: string;
  enrollmentId?: string;
  notEnrolled?: string;
  error?: string;
}

export function importViewOf(row: ImportRow): ImportView {
  const { campaign_status: status, has_steps: hasSteps } = row;
  const warnings = status === null ? [] : notCalledWarnings({ status, hasSteps: hasSteps === true });
  return {
    importId: row.id,
    status: row.status,
    mode: row.mode,
    campaignId: row.campaign_id,
    versionId: row.version_id,
    rows: row.rows,
    created: row.created,
    updated: row.updated,
    enrolled: row.enrolled,
    failed: row.failed,
    error: row.error,
    createdAt: row.created_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
    ...(warnings.length > 0 && { warnings }),
  };
}

export function resultViewOf(row: ResultRow): ImportResultView {
  return {
    row: row.row,
    ...(row.phone_number !== null && { phoneNumber: row.phone_number }),
    ...(row.contact_id !== null && { contactId: row.contact_id }),
    ...(row.enrollment_id !== null && { enrollmentId: row.enrollment_id }),
    ...(row.not_enrolled !== null && { notEnrolled: row.not_enrolled }),
    ...(row.error !== null && { error: row.error }),
  };
}
