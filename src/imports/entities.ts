import { ImportChunk } from './import-chunk.entity.js';
import { ImportContact } from './import-contact.entity.js';
import { ImportResults } from './import-results.entity.js';
import { Import } from './import.entity.js';

/** The tables of this folder, for the data source that the root composes. */
export const IMPORT_ENTITIES = [Import, ImportChunk, ImportContact, ImportResults];
