import { ensureRoles, type RoleUrls } from '../services/roles.js';
import { type Services } from '../services/ensure.js';
import { stackEnvironment } from './environment.js';
import { runMigrations } from './processes.js';

/**
 * Makes the login roles and migrates the database.
 *
 * @returns the environment of the processes.
 * @throws Error when the migrations fail.
 */
export async function prepareStack(services: Services): Promise<NodeJS.ProcessEnv> {
  // A given Postgres has its own roles.
  const roles: Partial<RoleUrls> = process.env.DATABASE_URL ? {} : await ensureRoles(services.databaseUrl);
  const env = await stackEnvironment(process.env, { ...services, ...roles });
  // The owner of the tables migrates them.
  await runMigrations({ env: { ...env, DATABASE_URL: roles.databaseOperatorUrl ?? env.DATABASE_URL } });
  return env;
}
