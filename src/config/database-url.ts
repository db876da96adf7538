import { isURL } from 'class-validator';
import { ConfigError, POSTGRES_URL, POSTGRES_URL_MESSAGE } from './config.js';

/**
 * `DATABASE_URL` alone, for commands that need nothing else of the configuration.
 *
 * @throws ConfigError naming the variable when it is missing or no Postgres URL.
 */
export function loadDatabaseUrl(env: NodeJS.ProcessEnv = process.env): string {
  const url = env.DATABASE_URL ?? '';
  if (!isURL(url, POSTGRES_URL)) {
    throw new ConfigError(`Invalid environment variables:\n  DATABASE_URL: ${POSTGRES_URL_MESSAGE}`);
  }
  return url;
}
