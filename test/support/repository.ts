import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The directory of the repository. */
export const root = resolve(__dirname, '../..');

/** The text of a file. @param path from the repository's directory. */
export const read = (path: string): string => readFileSync(join(root, path), 'utf8');
