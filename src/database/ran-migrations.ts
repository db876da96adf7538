import { ConfigError } from '../config/config-error.js';
import { BEFORE_BASELINE, isBeforeBaseline } from './migrations.js';
import { RoleRefusedError } from './restricted-role.js';
import { query, type Statement, type Transactions } from './transactions.js';

const RAN_MIGRATIONS: Statement = { name: 'ran_migrations', text: 'SELECT name FROM migrations' };

/**
 * SQLSTATEs of a database on which not all migrations have run: a table is missing, or is not readable yet.
 */
export const NOT_MIGRATED: readonly unknown[] = ['42P01', '42501'];

/** The names of the migrations that ran; empty for a database without any. @throws the database's error. */
export async function ranMigrations(transactions: Transactions): Promise<string[]> {
  try {
    const rows = await transactions.read<{ name: string }>(query(RAN_MIGRATIONS));
    return rows.map(({ name }) => name);
  } catch (error) {
    if (NOT_MIGRATED.includes((error as { code?: unknown }).code)) return [];
    throw error;
  }
}

/**
 * To be called before anything else uses the database. A database without all migrations passes: readiness
 * reports it.
 *
 * @throws ConfigError for a database of a version before 1.0; the database's error.
 */
export async function requireBaseline(transactions: Transactions): Promise<void> {
  try {
    if (!isBeforeBaseline(await ranMigrations(transactions))) return;
  } catch (error) {
    // Readiness reports this, too.
    if (error instanceof RoleRefusedError) return;
    throw error;
  }
  throw new ConfigError(`The process ends without a change: ${BEFORE_BASELINE}.`);
}
