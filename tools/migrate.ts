import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { ConfigError } from '../src/config/config-error.js';
import { loadDatabaseUrl } from '../src/config/database-url.js';
import { migrate } from '../src/database/migrate.js';

/**
 * `migrate [--revert]`: brings the schema of `DATABASE_URL` up to date, or takes the last migration back.
 * Exits with 0 when done, also if there was nothing to do; 1 on a failure; 2 on bad usage or configuration.
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
    const names = await migrate(loadDatabaseUrl(), direction);
    const done = direction === 'up' ? 'Migrated' : 'Reverted';
    console.log(names.length > 0 ? `${done}: ${names.join(', ')}` : 'Nothing to migrate');
    return 0;
  } catch (error) {
    // Errors of the driver carry the statement and its values, but never more than the message is of use.
    console.error(error instanceof Error ? error.message || String(error) : String(error));
    return error instanceof ConfigError ? 2 : 1;
  }
}

void main().then((code) => {
  process.exitCode = code;
});
