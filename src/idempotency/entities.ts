import { IdempotencyKeyEntity } from './idempotency-key.entity.js';

/** The tables of this folder, for the data source that the root composes. */
export const IDEMPOTENCY_ENTITIES = [IdempotencyKeyEntity];
