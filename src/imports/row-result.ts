/**
 * What became of a row, as it is stored. The number is not: it is read from the contact, so that an erasure of the contact leaves no
 * number here.
 */
export interface RowResult {
  contactId?: string;
  enrollmentId?: string;
  error?: string;
}
