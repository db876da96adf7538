import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { ensureServices } from '../services/ensure.js';
import { defaultCacheDir } from '../services/paths.js';

/** A Postgres and a Redis of the measurement's own, as `npm run services` starts them, and their process ids. */
export interface Servers {
  /** Temporary; deleted by `close`. */
  directory: string;
  databaseUrl: string;
  redisUrl: string;
  db: Pool;
  redis: Redis;
  postgresPid: number;
  redisPid: number;
  /** @returns the URL of a new, empty database. */
  createDatabase(name: string): Promise<string>;
  close(): Promise<void>;
}

export async function startServers(name: string): Promise<Servers> {
  const directory = await mkdtemp(join(tmpdir(), `outdial-${name}-`));
  // Postgres runs as another account than root, and enters it.
  await chmod(directory, 0o711);
  await mkdir(join(directory, 'logs'));
  const services = await ensureServices({
    dataDir: join(directory, 'services'),
    cacheDir: defaultCacheDir(),
    env: {},
  });
  const db = new Pool({ connectionString: services.databaseUrl, max: 4 });
  db.on('error', () => undefined);
  const redis = new Redis(services.redisUrl, { maxRetriesPerRequest: null });
  redis.on('error', () => undefined);
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
      const url = new URL(services.databaseUrl);
      url.pathname = `/${database}`;
      return url.href;
    },
    close: async () => {
      redis.disconnect();
      await db.end().catch(() => undefined);
      await services.stop().catch(() => undefined);
      await rm(directory, { recursive: true, force: true }).catch(() => undefined);
    },
  };
}
