import { DatabaseIdentity } from './database-identity.entity.js';

/** The tables of this folder, for the data source that the root composes. */
export const RESTORE_ENTITIES = [DatabaseIdentity];
