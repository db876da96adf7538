import { isURL } from 'class-validator';
import { ConfigError } from './config-error.js';
import { readFileVariables } from './file-variables.js';
import { hasPlaceholderPassword, PLACEHOLDER_PASSWORD_MESSAGE } from './url-password.decorator.js';
import { POSTGRES_URL, POSTGRES_URL_MESSAGE } from './urls.js';

/** The part of the configuration that commands need. */
export interface DatabaseAccess {
  databaseUrl: string;
  databaseTransactionPooling: boolean;
}

/**
 * Loads only `DATABASE_URL`, or the content of the file that `DATABASE_URL_FILE` names.
 *
 * @throws ConfigError naming the variable when it is missing or bad.
 */
export function loadDatabaseUrl(outer: NodeJS.ProcessEnv = process.env): string {
  return load(outer, 'DATABASE_URL', faultOfUrl);
}

/**
 * How to reach Postgres with an operator's rights, for commands that need nothing else of the configuration:
 * `DATABASE_OPERATOR_URL`, or `DATABASE_URL` where `DATABASE_OPERATOR_URL` is unset.
 *
 * @throws ConfigError naming the variable that is missing or bad.
 */
export function loadDatabaseAccess(outer: NodeJS.ProcessEnv = process.env): DatabaseAccess {
  const pooling = load(outer, 'DATABASE_TRANSACTION_POOLING', faultOfFlag);
  const operator = load(outer, 'DATABASE_OPERATOR_URL', (url) => (url === '' ? null : faultOfUrl(url)));
  const databaseUrl = operator || loadDatabaseUrl(outer);
  return { databaseUrl, databaseTransactionPooling: pooling === 'true' };
}

function faultOfUrl(url: string): string | null {
  if (!isURL(url, POSTGRES_URL)) return POSTGRES_URL_MESSAGE;
  return hasPlaceholderPassword(url) ? PLACEHOLDER_PASSWORD_MESSAGE : null;
}

function faultOfFlag(value: string): string | null {
  return ['', 'true', 'false'].includes(value) ? null : 'must be true or false';
}

/** @param faultOf what is wrong with a value, or null. */
function load(outer: NodeJS.ProcessEnv, name: string, faultOf: (value: string) => string | null): string {
  const { env, problems } = readFileVariables(outer, [name]);
  const value = env[name] ?? '';
  const fault = faultOf(value);
  if (!problems.has(name) && fault === null) return value;
  throw new ConfigError(`Invalid environment variables:\n  ${problems.get(name) ?? `${name}: ${fault}`}`);
}
