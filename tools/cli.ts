/**
 * `npm run cli -- <command>`: the operator's commands (src/cli.ts). In development, where DATABASE_URL is not
 * set, they work on the private Postgres that `npm start` or `npm run services` runs. It is not started for
 * them. Commands that are sent with a team's key need none.
 */
import { secretsKey } from './stack/environment.js';
import { servicesStatus } from './services/ensure.js';

const NO_DATABASE =
  'DATABASE_URL is not set, and no private Postgres runs here. ' +
  'Set it, or run `npm start` or `npm run services` first.';

/** Help must not depend on a database. */
function asksForHelp(argv: string[]): boolean {
  return argv.length === 0 || argv.some((word) => word === '--help' || word === '-h' || word === 'help');
}

async function main(): Promise<void> {
  const { env, argv } = process;
  const byKey = env.OUTDIAL_URL || env.OUTDIAL_URL_FILE || env.OUTDIAL_API_KEY || env.OUTDIAL_API_KEY_FILE;
  const given = env.DATABASE_URL || env.DATABASE_URL_FILE || byKey;
  if (!given && env.NODE_ENV !== 'production' && !asksForHelp(argv.slice(2))) {
    const { databaseUrl } = await servicesStatus();
    if (!databaseUrl) {
      console.error(NO_DATABASE);
      process.exitCode = 2;
      return;
    }
    env.DATABASE_URL = databaseUrl;
    Object.assign(env, await secretsKey(env));
  }
  await import('../src/cli.js');
}

void main();
