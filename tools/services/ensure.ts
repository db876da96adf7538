import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { checkDatabaseUrl, checkRedisUrl } from './given.js';
import { withLock } from './lock.js';
import { defaultCacheDir, defaultDataDir } from './paths.js';
import { openServerDirectory, removeData, type ServerDirectory } from './server-directory.js';
import {
  ensureDatabase,
  findPostgres,
  type PostgresSettings,
  postgresUrl,
  startPostgres,
  stopPostgres,
} from './postgres.js';
import { postgresBinDir } from './postgres-binaries.js';
import { findRedis, redisUrl, startRedis, stopRedis } from './redis.js';
import { redisBinary } from './redis-binary.js';
import { addUser, hasUsers, readState, removeUser, writeState } from './state.js';

// A first start may download Redis and initialise Postgres on a slow machine.
const LOCK_TIMEOUT_MS = 10 * 60_000;

/** Where services are kept, and whether they outlive their users. */
export interface EnsureOptions {
  dataDir?: string;
  cacheDir?: string;
  /** They stay when this process ends, until they are stopped by name (`npm run services -- stop`). */
  keep?: boolean;
  /** Their data are removed when the last user stops them. */
  temporary?: boolean;
  /** Replaces `process.env` as the source of DATABASE_URL and REDIS_URL. */
  env?: NodeJS.ProcessEnv;
  /** Of a Postgres that is started, in place of those by which its data survives a power cut. */
  postgresSettings?: PostgresSettings;
  log?: (line: string) => void;
}

/** Reachable services and what to do when done with them. */
export interface Services {
  databaseUrl: string;
  redisUrl: string;
  /** Which of them were not running before. */
  startedHere: { postgres: boolean; redis: boolean };
  /** Ends this process' use; the last user of services that were not asked to stay stops them. */
  stop(): Promise<void>;
}

/** What runs under a data directory at this moment. */
export interface ServicesStatus {
  databaseUrl?: string;
  redisUrl?: string;
}

const lockFile = (dataDir: string): string => join(dataDir, 'services.lock');

async function find(directory: ServerDirectory): Promise<{ postgres?: number; redis?: number }> {
  const { postgresPort, redisPort } = await readState(directory.dataDir);
  const [postgres, redis] = await Promise.all([
    findPostgres(directory, postgresPort),
    findRedis(directory, redisPort),
  ]);
  return { postgres, redis };
}

/** Reachable Postgres and Redis: the given ones, or private ones, started unless they run already. */
export async function ensureServices(options: EnsureOptions = {}): Promise<Services> {
  const env = options.env ?? process.env;
  const given = { databaseUrl: env.DATABASE_URL || undefined, redisUrl: env.REDIS_URL || undefined };
  if (given.databaseUrl) await checkDatabaseUrl(given.databaseUrl);
  if (given.redisUrl) await checkRedisUrl(given.redisUrl);
  if (given.databaseUrl && given.redisUrl) {
    return {
      databaseUrl: given.databaseUrl,
      redisUrl: given.redisUrl,
      startedHere: { postgres: false, redis: false },
      stop: () => Promise.resolve(),
    };
  }

  const dataDir = options.dataDir ?? defaultDataDir();
  const cacheDir = options.cacheDir ?? defaultCacheDir();
  const log = options.log ?? (() => undefined);
  await mkdir(dataDir, { recursive: true });

  return withLock(lockFile(dataDir), LOCK_TIMEOUT_MS, async () => {
    const directory = await openServerDirectory(dataDir);
    const state = await readState(dataDir);
    const startedHere = { postgres: false, redis: false };
    let { postgresPort, redisPort } = state;
    const running = await find(directory);
    // Services of which nothing ran any more belong to the process that starts them now.
    const keep = options.keep || (state.keep && (running.postgres ?? running.redis) !== undefined);
    // A start is written down before the next one, which may fail: what runs must be found again.
    const remember = (): Promise<void> => writeState(dataDir, { postgresPort, redisPort, keep });

    const begin = async (which: 'postgres' | 'redis'): Promise<number> => {
      startedHere[which] = true;
      log(`Starting ${which === 'postgres' ? 'Postgres' : 'Redis'} …`);
      return which === 'postgres'
        ? startPostgres(
            directory,
            await postgresBinDir(directory.account, cacheDir),
            postgresPort,
            options.postgresSettings,
          )
        : startRedis(directory, await redisBinary(directory.account, cacheDir), redisPort);
    };

    const user = options.keep ? undefined : await addUser(dataDir);
    try {
      if (!given.databaseUrl) {
        postgresPort = running.postgres ?? (await begin('postgres'));
        await remember();
        await ensureDatabase(directory, postgresPort);
      }
      if (!given.redisUrl) {
        redisPort = running.redis ?? (await begin('redis'));
        await remember();
      }
    } catch (error) {
      if (user) await removeUser(dataDir, user);
      const found = running.postgres ?? running.redis;
      // One of the two services without the other is of no use.
      if (found === undefined && !(await hasUsers(dataDir))) await stopAll(directory, cacheDir);
      throw error;
    }

    return {
      databaseUrl: given.databaseUrl ?? postgresUrl(directory, postgresPort ?? 0),
      redisUrl: given.redisUrl ?? redisUrl(directory, redisPort ?? 0),
      startedHere,
      stop: () => (user ? release(user, { ...options, dataDir, cacheDir }) : Promise.resolve()),
    };
  });
}

async function release(
  user: string,
  { dataDir, cacheDir, temporary }: EnsureOptions & { dataDir: string; cacheDir: string },
): Promise<void> {
  await withLock(lockFile(dataDir), LOCK_TIMEOUT_MS, async () => {
    await removeUser(dataDir, user);
    const { keep } = await readState(dataDir);
    if (keep || (await hasUsers(dataDir))) return;
    const directory = await openServerDirectory(dataDir);
    await stopAll(directory, cacheDir);
    if (temporary) await removeData(directory);
  });
}

async function stopAll(directory: ServerDirectory, cacheDir: string): Promise<void> {
  const { postgres, redis } = await find(directory);
  if (redis) await stopRedis(directory, redis);
  if (postgres) await stopPostgres(directory, await postgresBinDir(directory.account, cacheDir));
}

/** Stops all private services, in use or not. */
export async function stopServices(options: EnsureOptions = {}): Promise<ServicesStatus> {
  const dataDir = options.dataDir ?? defaultDataDir();
  return withLock(lockFile(dataDir), LOCK_TIMEOUT_MS, async () => {
    const before = await servicesStatus(options);
    await stopAll(await openServerDirectory(dataDir), options.cacheDir ?? defaultCacheDir());
    await writeState(dataDir, { ...(await readState(dataDir)), keep: false });
    return before;
  });
}

/** Looks without starting anything. */
export async function servicesStatus(options: EnsureOptions = {}): Promise<ServicesStatus> {
  const directory = await openServerDirectory(options.dataDir ?? defaultDataDir());
  const { postgres, redis } = await find(directory);
  return {
    databaseUrl: postgres === undefined ? undefined : postgresUrl(directory, postgres),
    redisUrl: redis === undefined ? undefined : redisUrl(directory, redis),
  };
}
