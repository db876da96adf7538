import { isURL } from 'class-validator';
import { ConfigError } from './config-error.js';
import { readFileVariables } from './file-variables.js';
import { POSTGRES_URL, POSTGRES_URL_MESSAGE } from './urls.js';

/** What commands need of the configuration. */
export interface DatabaseAccess {
  databaseUrl: string;
  databaseTransactionPooling: boolean;
}

/**
 * Loads only `DATABASE_URL`, or the content of the file `DATABASE_URL_FILE`.
 *
 * @throws ConfigError naming the variable when it is missing or no Postgres URL.
 */
export function loadDatabaseUrl(outer: NodeJS.ProcessEnv = process.env): string {
  return load(outer, 'DATABASE_URL', (url) => isURL(url, POSTGRES_URL), POSTGRES_URL_MESSAGE);
}

/**
 * How to reach Postgres with an operator's rights, for commands that need nothing else of the configuration:
 * `DATABASE_OPERATOR_URL`, or `DATABASE_URL` where that is unset.
 *
 * @throws ConfigError naming the variable that is missing or bad.
 */
export function loadDatabaseAccess(outer: NodeJS.ProcessEnv = process.env): DatabaseAccess {
  const isFlag = (value: string) => ['', 'true', 'false'].includes(value);
  const pooling = load(outer, 'DATABASE_TRANSACTION_POOLING', isFlag, 'must be true or false');
  const operator = load(outer, 'DATABASE_OPERATOR_URL', isUrlOrUnset, POSTGRES_URL_MESSAGE);
  const databaseUrl = operator || loadDatabaseUrl(outer);
  return { databaseUrl, databaseTransactionPooling: pooling === 'true' };
}

function isUrlOrUnset(url: string): boolean {
  return url === '' || isURL(url, POSTGRES_URL);
}

function load(
  outer: NodeJS.ProcessEnv,
  name: string,
  isGood: (value: string) => boolean,
  message: string,
): string {
  const { env, problems } = readFileVariables(outer, [name]);
  const value = env[name] ?? '';
  if (!problems.has(name) && isGood(value)) return value;
  throw new ConfigError(`Invalid environment variables:\n  ${problems.get(name) ?? `${name}: ${message}`}`);
}
