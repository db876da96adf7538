import { type SealedColumn } from '../../secrets/sealed-column.js';
import { type SecretPlace } from '../../secrets/secrets.js';

const TABLE = 'webhook_endpoints';
const COLUMN = 'secret';

/**
 * The place of an endpoint's secrets. That of the previous one is the same, because a rotation moves the value in the
 * database.
 */
export function placeOf(endpointId: string): SecretPlace {
  return { table: TABLE, column: COLUMN, id: endpointId };
}

/** In the order in which a rotation moves a value, so that none is missed. */
export const WEBHOOK_SECRETS: readonly SealedColumn[] = [
  { table: TABLE, column: COLUMN, sealedFor: COLUMN },
  { table: TABLE, column: 'previous_secret', sealedFor: COLUMN },
];
