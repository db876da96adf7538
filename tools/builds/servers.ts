import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { ensureServices } from '../services/ensure.js';
import { defaultCacheDir } from '../services/paths.js';

/**
 * A Postgres and a Redis of the measurement's own, as `npm run services` starts them, and their process ids.
 */
export interface Servers {
  /** Temporary and deleted by `close`, unless it was given. */
  directory: string;
  databaseUrl: string;
  redisUrl: string;
  db: Pool;
  redis: Redis;
  postgresPid: number;
  redisPid: number;
  /** @returns the URL of a new, empty database. */
  createDatabase(name: string): Promise<string>;
  /** The URL of a database that is there. */
  urlOf(name: string): string;
  close(): Promise<void>;
}

/**
 * @param keptIn a directory that stays with all data when the servers are closed, and that the next start
 *   finds again.
 */
export async function startServers(name: string, keptIn?: string): Promise<Servers> {
  const directory = keptIn ?? (await mkdtemp(join(tmpdir(), `outdial-${name}-`)));
  await mkdir(join(directory, 'logs'), { recursive: true });
  // Postgres runs as another account than root, and enters it.
  await chmod(directory, 0o711);
  const services = await ensureServices({
    dataDir: join(directory, 'services'),
    cacheDir: defaultCacheDir(),
    env: {},
  });
  const db = new Pool({ connectionString: services.databaseUrl, max: 4 });
  db.on('error', () => undefined);
  const redis = new Redis(services.redisUrl, { maxRetriesPerRequest: null });
  redis.on('error', () => undefined);
  const urlOf = (database: string) => {
    const url = new URL(services.databaseUrl);
    url.pathname = `/${database}`;
    return url.href;
  };
  let closing: Promise<void> | undefined;
  const close = async () => {
    redis.disconnect();
    await db.end().catch(() => undefined);
    await services.stop().catch(() => undefined);
    if (keptIn === undefined) await rm(directory, { recursive: true, force: true }).catch(() => undefined);
  };
  const pidFile = await readFile(join(directory, 'services', 'postgres', 'postmaster.pid'), 'utf8');
  const info = await redis.info('server');
  return {
    directory,
    databaseUrl: services.databaseUrl,
    redisUrl: services.redisUrl,
    db,
    redis,
    postgresPid: Number(pidFile.split('\n')[0]),
    redisPid: Number(/process_id:(\d+)/.exec(info)?.[1]),
    createDatabase: async (database) => {
      await db.query(`CREATE DATABASE ${database}`);
      return urlOf(database);
    },
    urlOf,
    // A signal may come while they close: the process ends only after all of them have.
    close: () => (closing ??= close()),
  };
}
