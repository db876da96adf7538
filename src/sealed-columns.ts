import { SEALED_COLUMNS as OF_WEBHOOKS } from './events/webhooks/sealed-secret.js';
import { SEALED_COLUMNS as OF_PEOPLE } from './people/sealed-secret.js';
import { type SealedColumn } from './secrets/sealed-column.js';

/** Every column of sealed secrets. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [...OF_WEBHOOKS, ...OF_PEOPLE];
