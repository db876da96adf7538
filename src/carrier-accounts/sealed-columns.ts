import { type SealedColumn } from '../secrets/sealed-column.js';
import { type SecretPlace } from '../secrets/secrets.js';

const TABLE = 'carrier_accounts';
const COLUMN = 'credentials';

/** The place of an account's credentials. A rotation moves the value in the database, so both columns have one place. */
export function placeOf(accountId: string): SecretPlace {
  return { table: TABLE, column: COLUMN, id: accountId };
}

/** In the order in which a rotation moves a value, so that none is missed. */
export const CARRIER_SECRETS: readonly SealedColumn[] = [
  { table: TABLE, column: COLUMN, sealedFor: COLUMN },
  { table: TABLE, column: 'previous_credentials', sealedFor: COLUMN },
];
