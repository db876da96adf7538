/** The fields of a consent that a column of a file can be, as the body of a request names them. */
export const CONSENT_FIELDS = [
  'phoneNumber',
  'level',
  'purpose',
  'voice',
  'source',
  'evidence',
  'grantedAt',
  'expiresAt',
] as const;
export type ConsentField = (typeof CONSENT_FIELDS)[number];
