import { join } from 'node:path';
import { literalPattern } from './database/literal-pattern.js';

/**
 * The entity classes of all rooms, found by the names of their files. The data sources of the processes and of the
 * drift test map these classes.
 */
export const ENTITIES = [join(literalPattern(__dirname), '*', '**', '*.entity.{js,ts}')];
