import { join } from 'node:path';

/**
 * The entity classes of all rooms, found by the names of their files. The data sources of the processes and of the
 * drift test map these classes.
 */
export const ENTITIES = [join(__dirname, '*', '**', '*.entity.{js,ts}')];
