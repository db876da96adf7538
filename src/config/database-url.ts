import { isURL } from 'class-validator';
import { ConfigError } from './config.js';

/**
 * `DATABASE_URL` alone, for commands that need nothing else of the configuration.
 *
 * @throws ConfigError naming the variable when it is missing or no Postgres URL.
 */
export function loadDatabaseUrl(env: NodeJS.ProcessEnv = process.env): string {
  const url = env.DATABASE_URL ?? '';
  if (!isURL(url, { protocols: ['postgres', 'postgresql'], require_tld: false, require_protocol: true })) {
    throw new ConfigError('Invalid environment variables:\n  DATABASE_URL: must be a postgres:// URL');
  }
  return url;
}
