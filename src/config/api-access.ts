import { isURL } from 'class-validator';
import { ConfigError } from './config-error.js';
import { readFileVariables } from './file-variables.js';
import { HTTP_URL, HTTP_URL_MESSAGE } from './urls.js';

const URL_NAME = 'OUTDIAL_URL';
const KEY_NAME = 'OUTDIAL_API_KEY';

/** Where commands are sent with a team's key. */
export interface ApiAccess {
  /** The address of an API, without a slash at its end. */
  url: string;
  apiKey: string;
}

/**
 * Where commands are sent over HTTP; undefined if they run in this process, because neither variable is set.
 *
 * @throws ConfigError naming the variable that is missing or bad.
 */
export function loadApiAccess(outer: NodeJS.ProcessEnv = process.env): ApiAccess | undefined {
  const { env, problems } = readFileVariables(outer, [URL_NAME, KEY_NAME]);
  const url = env[URL_NAME] ?? '';
  const apiKey = env[KEY_NAME] ?? '';
  if (problems.size === 0 && url === '' && apiKey === '') return undefined;
  const faults = [
    problems.get(URL_NAME) ?? faultOf(URL_NAME, url === '' ? missing(KEY_NAME) : faultOfUrl(url)),
    problems.get(KEY_NAME) ?? faultOf(KEY_NAME, apiKey === '' ? missing(URL_NAME) : faultOfKey(apiKey)),
  ].filter((fault) => fault !== null);
  if (faults.length > 0) throw new ConfigError(`Invalid environment variables:\n  ${faults.join('\n  ')}`);
  return { url: url.replace(/\/+$/, ''), apiKey };
}

const missing = (other: string) => `is missing, and ${other} is set; set both, or neither`;

const faultOf = (name: string, fault: string | null) => (fault === null ? null : `${name}: ${fault}`);

/** Credentials, a query or a fragment in the address would be lost. */
function faultOfUrl(url: string): string | null {
  if (!isURL(url, HTTP_URL)) return HTTP_URL_MESSAGE;
  const { username, password, search, hash } = new URL(url);
  return username + password + search + hash === ''
    ? null
    : 'must have no user, no query and no fragment, such as https://outdial.example.com';
}

/** What a header cannot carry is no key. */
function faultOfKey(apiKey: string): string | null {
  return /^[\x21-\x7e]+$/.test(apiKey) ? null : 'must be an API key';
}
