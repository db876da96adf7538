import { type SealedColumn } from '../secrets/sealed-column.js';

/** The secrets of authenticators. */
export const USER_SECRETS: readonly SealedColumn[] = [
  { table: 'users', column: 'totp_secret', sealedFor: 'totp_secret' },
];
