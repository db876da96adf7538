import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The directory of the repository. */
export const root = resolve(__dirname, '../..');

/** The text of a file. @param path from the repository's directory. */
export const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The paths of all files below a folder, from the repository's directory. */
export const filesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
