import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { literalPattern } from './literal-pattern.js';

/** `migrations/` of the repository, or that of its build. */
const DIRECTORY = join(__dirname, '..', '..', 'migrations');
const FILE = /^(\d+)-([a-z0-9-]+)\.(?:js|ts)$/;

/** The pattern of the files of all migrations. Their order is that of the timestamps in their names. */
export const MIGRATIONS = join(literalPattern(DIRECTORY), '[0-9]*-*.{js,ts}');

/** The names of all migrations as TypeORM stores them, oldest first, such as `InitialSchema1763700000000`. */
export const MIGRATION_NAMES: readonly string[] = readdirSync(DIRECTORY)
  .sort()
  .flatMap((file) => {
    const [, timestamp, name] = FILE.exec(file) ?? [];
    return timestamp === undefined || name === undefined ? [] : [`${classNameOf(name)}${timestamp}`];
  });

/** `initial-schema` → `InitialSchema`. */
function classNameOf(name: string): string {
  return name.replace(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
