/**
 * The result of a row, as it is stored. The phone number is not stored here but read from the contact, so
 * that an erasure of the contact is enough.
 */
export interface RowResult {
  contactId?: string;
  enrollmentId?: string;
  /** Why the contact was not enrolled in the campaign. */
  notEnrolled?: string;
  /** What was left out of the row. */
  warnings?: RowWarning[];
  error?: string;
}

/** A fault of a row that is stored nevertheless. */
export interface RowWarning {
  /** The field that was left out. */
  key: string;
  text: string;
}

/** The key of `countries` for phone numbers that belong to no country. */
export const NO_COUNTRY = 'none';

/** A row as it was in the file: the cells of CSV, or the line of NDJSON; null: it was erased. */
export type FailedRow = string[] | string | null;
