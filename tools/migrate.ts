import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { ConfigError } from '../src/config/config-error.js';
import { loadDatabaseAccess } from '../src/config/database-url.js';
import { isPermissionDenied } from '../src/database/database-errors.js';
import { migrate } from '../src/database/migrate.js';

/**
 * `migrate [--revert]`: brings the schema up to date, or takes the last migration back. As every
 * command, it connects with `DATABASE_OPERATOR_URL` or, if that is unset, with `DATABASE_URL`. Exits with 0 when done, also if there was nothing to do; 1 on a failure; 2 on bad usage or configuration.
 */
async function main(): Promise<number> {
  let direction: 'up' | 'revert';
  try {
    const { values } = parseArgs({ options: { revert: { type: 'boolean' } } });
    direction = values.revert ? 'revert' : 'up';
  } catch (error) {
    console.error(`${(error as Error).message}\nUsage: migrate [--revert]`);
    return 2;
  }
  try {
    const names = await migrate(loadDatabaseAccess().databaseUrl, direction);
    const done = direction === 'up' ? 'Migrated' : 'Reverted';
    console.log(names.length > 0 ? `${done}: ${names.join(', ')}` : 'Nothing to migrate');
    return 0;
  } catch (error) {
    // Errors of the driver carry the statement and its values, but never more than the message is of use.
    const message = error instanceof Error ? error.message || String(error) : String(error);
    console.error(isPermissionDenied(error) ? `${notOwner()}: ${message}` : message);
    return error instanceof ConfigError ? 2 : 1;
  }
}

/** The login role of the processes may not change the schema. */
function notOwner(): string {
  return process.env.DATABASE_OPERATOR_URL || process.env.DATABASE_OPERATOR_URL_FILE
    ? 'The user of DATABASE_OPERATOR_URL is not the owner of the schema (docs/deployment.md, "The roles")'
    : 'The user of DATABASE_URL is not the owner of the schema: set DATABASE_OPERATOR_URL (docs/deployment.md, "The roles")';
}

void main().then((code) => {
  process.exitCode = code;
});
