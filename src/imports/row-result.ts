/**
 * The result of a row, as it is stored. The phone number is not stored here but read from the contact, so
 * that an erasure of the contact is enough.
 */
export interface RowResult {
  contactId?: string;
  enrollmentId?: string;
  /** Why the contact was not enrolled in the campaign. */
  notEnrolled?: string;
  error?: string;
}
