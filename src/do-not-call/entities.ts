import { DoNotCallEntry } from './do-not-call-entry.entity.js';
import { WhitelistEntry } from './whitelist-entry.entity.js';

/** The tables of this folder, for the data source that the root composes. */
export const NUMBER_LIST_ENTITIES = [DoNotCallEntry, WhitelistEntry];
