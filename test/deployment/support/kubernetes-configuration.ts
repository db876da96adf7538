import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Config } from '../../../src/config/config.js';
import { loadConfig, loadWorkerConfig } from '../../../src/configuration.js';
import { loadDatabaseUrl } from '../../../src/config/database-url.js';

/** What the process makes of the environment once a carrier is chosen and secrets are made. */
export function configurationOf(env: Record<string, string>, files: Record<string, string>): Config {
  const made = Object.entries(files).map(([path, value]) => [path, value.replaceAll('change-me', 'q7Zr2')]);
  return examplesOf({ CARRIER: 'simulator', ...env }, Object.fromEntries(made) as Record<string, string>);
}

/** The same of the example as it is, with the files where the process may look for them here. */
export function examplesOf(env: Record<string, string>, files: Record<string, string>): Config {
  const directory = mkdtempSync(join(tmpdir(), 'outdial-secrets-'));
  try {
    for (const [path, value] of Object.entries(files)) {
      mkdirSync(dirname(directory + path), { recursive: true });
      writeFileSync(directory + path, value);
    }
    const here = Object.entries(env).map(([name, value]) => [name, files[value] ? directory + value : value]);
    return loaderOf(env)(Object.fromEntries(here) as NodeJS.ProcessEnv);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** How the process that has these variables reads them. */
function loaderOf(env: Record<string, string>): (env: NodeJS.ProcessEnv) => Config {
  if (env.OPERATOR_TOKEN_FILE) return loadConfig;
  if (env.REDIS_URL_FILE) return loadWorkerConfig;
  return (given) => Object.assign(new Config(), { databaseUrl: loadDatabaseUrl(given) });
}
