import { isURL } from 'class-validator';
import { ConfigError, POSTGRES_URL, POSTGRES_URL_MESSAGE } from './config.js';
import { readFileVariables } from './file-variables.js';

const NAME = 'DATABASE_URL';

/**
 * `DATABASE_URL`, or what stands in the file of `DATABASE_URL_FILE`, alone, for commands that need nothing else of the configuration.
 *
 * @throws ConfigError naming the variable when it is missing or no Postgres URL.
 */
export function loadDatabaseUrl(outer: NodeJS.ProcessEnv = process.env): string {
  const { env, problems } = readFileVariables(outer, [NAME]);
  const url = env[NAME] ?? '';
  if (!problems.has(NAME) && isURL(url, POSTGRES_URL)) return url;
  const problem = problems.get(NAME) ?? `${NAME}: ${POSTGRES_URL_MESSAGE}`;
  throw new ConfigError(`Invalid environment variables:\n  ${problem}`);
}
