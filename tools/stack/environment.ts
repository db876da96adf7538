import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultDataDir } from '../services/paths.js';
import { type Services } from '../services/ensure.js';
import { type RoleUrls } from '../services/roles.js';

/** Variables that have a default in development, but that production must decide on. */
const DECIDED_IN_PRODUCTION = ['OPERATOR_TOKEN', 'CARRIER'] as const;

/** Throws for what production must set, before anything is started. */
export function assertComplete(env: NodeJS.ProcessEnv): void {
  if (env.NODE_ENV !== 'production') return;
  const missing = DECIDED_IN_PRODUCTION.filter((name) => !env[name]);
  if (missing.length > 0) {
    throw new Error(`NODE_ENV is production: set ${missing.join(' and ')} (see .env.example).`);
  }
}

/** The token of this checkout, made at the first start and kept. */
export function developmentToken(dataDir = defaultDataDir()): Promise<string> {
  return keptSecret(dataDir, 'operator-token');
}

/** The key of this checkout for secrets at rest. */
function developmentSecretsKey(dataDir = defaultDataDir()): Promise<string> {
  return keptSecret(dataDir, 'secrets-key');
}

async function keptSecret(dataDir: string, name: string): Promise<string> {
  const file = join(dataDir, name);
  await mkdir(dataDir, { recursive: true });
  try {
    await writeFile(file, `dev_${randomBytes(24).toString('base64url')}`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return (await readFile(file, 'utf8')).trim();
}

/** The environment of API and worker: what is set, and defaults for the rest. */
export async function stackEnvironment(
  env: NodeJS.ProcessEnv,
  services: Pick<Services, 'databaseUrl' | 'redisUrl'> & Partial<RoleUrls>,
): Promise<NodeJS.ProcessEnv> {
  assertComplete(env);
  return {
    ...env,
    ...(await pagesPassword(env)),
    ...(await secretsKey(env)),
    ...localWebhooks(env),
    PORT: env.PORT || '3000',
    WORKER_PORT: env.WORKER_PORT || '3001',
    CARRIER: env.CARRIER || 'simulator',
    OPERATOR_TOKEN: env.OPERATOR_TOKEN || (await developmentToken()),
    DATABASE_URL: services.databaseUrl,
    ...(services.databaseOperatorUrl && { DATABASE_OPERATOR_URL: services.databaseOperatorUrl }),
    REDIS_URL: services.redisUrl,
    TZ: 'UTC',
  };
}

/** In development, webhook endpoints are usually on the same machine. */
function localWebhooks(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const decided = env.NODE_ENV === 'production' || env.WEBHOOKS_ALLOW_PRIVATE;
  return decided ? {} : { WEBHOOKS_ALLOW_PRIVATE: 'true' };
}

/** In production the operations pages stay switched off until a password is set. */
async function pagesPassword(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const decided = env.NODE_ENV === 'production' || env.BULL_BOARD_PASSWORD || env.BULL_BOARD_PASSWORD_FILE;
  return decided ? {} : { BULL_BOARD_PASSWORD: await developmentToken() };
}

/** In production, secrets are in plain text until a key is set. */
export async function secretsKey(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const decided = env.NODE_ENV === 'production' || env.SECRETS_KEY || env.SECRETS_KEY_FILE;
  return decided ? {} : { SECRETS_KEY: await developmentSecretsKey() };
}
