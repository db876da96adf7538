import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { literalPattern } from './literal-pattern.js';

/** `migrations/` of the repository, or that of its build. */
const DIRECTORY = join(__dirname, '..', '..', 'migrations');
const FILE = /^(\d+)-([a-z0-9-]+)\.(?:js|ts)$/;

/** The pattern of the files of all migrations. Their order is that of the timestamps in their names. */
export const MIGRATIONS = join(literalPattern(DIRECTORY), '[0-9]*-*.{js,ts}');

/** The names of all migrations as TypeORM stores them, oldest first, such as `Baseline1764400000000`. */
export const MIGRATION_NAMES: readonly string[] = readdirSync(DIRECTORY)
  .sort()
  .flatMap((file) => {
    const [, timestamp, name] = FILE.exec(file) ?? [];
    return timestamp === undefined || name === undefined ? [] : [`${classNameOf(name)}${timestamp}`];
  });

/**
 * Whether a database was migrated by a version before 1.0, whose schema no migration leads from. Migrations of
 * a newer version do no harm: they run before the processes of that version start.
 *
 * @param ran the names of the migrations that ran.
 */
export function isBeforeBaseline(ran: readonly string[]): boolean {
  const [baseline] = MIGRATION_NAMES;
  return ran.length > 0 && baseline !== undefined && !ran.includes(baseline);
}

export const BEFORE_BASELINE =
  'the database is of a version before 1.0, which starts from an empty database: export what you need with the ' +
  'commands of that version, then set DATABASE_URL to a new, empty database and migrate it (docs/upgrading.md)';

/** `call-details` → `CallDetails`. */
function classNameOf(name: string): string {
  return name.replace(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
