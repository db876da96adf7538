import { chmod, mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { giveTo } from './account.js';
import { freePort } from './ports.js';
import { type RedisBinary } from './redis-binary.js';
import { type Account, type DetachedServer, logTail, pause, runsProgram, startDetached } from './run.js';

/** The directory of a private Redis, and the user that runs it. */
export interface RedisPlace {
  base: string;
  account: Account;
  secret: string;
}

const START_TIMEOUT_MS = 30_000;

const dataDir = (place: RedisPlace): string => join(place.base, 'redis');
const configFile = (place: RedisPlace): string => join(dataDir(place), 'redis.conf');
const pidFile = (place: RedisPlace): string => join(dataDir(place), 'redis.pid');
const logFile = (place: RedisPlace): string => join(place.base, 'redis.log');

/** The URL of the private Redis. */
export function redisUrl(place: RedisPlace, port: number): string {
  return `redis://default:${place.secret}@127.0.0.1:${port}`;
}

/** A connection for one question: it fails at once instead of trying again. */
export async function withRedis<T>(url: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 3_000,
    // After a refused connection nothing closes any more, and its timer would keep the process up.
    disconnectTimeout: 50,
    commandTimeout: 5_000,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
  });
  let cause: Error | undefined;
  redis.on('error', (error: Error) => (cause = error));
  try {
    await redis.connect();
    return await work(redis);
  } catch (error) {
    // ioredis says "Connection is closed." and keeps the reason to its error event.
    throw cause ?? error;
  } finally {
    redis.disconnect();
  }
}

async function isOurs(place: RedisPlace, port: number): Promise<boolean> {
  try {
    return await withRedis(redisUrl(place, port), async (redis) => {
      // PING fails while the append-only file is still being loaded.
      await redis.ping();
      const reply = (await redis.config('GET', 'dir')) as string[];
      return (await realpath(reply[1] ?? '')) === (await realpath(dataDir(place)));
    });
  } catch {
    return false;
  }
}

/** Process id and port as they were last configured; they may be of a server that is long dead. */
async function readTraces(place: RedisPlace): Promise<{ pid?: number; port?: number }> {
  const [config, pid] = await Promise.all(
    [configFile(place), pidFile(place)].map((file) => readFile(file, 'utf8').catch(() => '')),
  );
  return {
    pid: Number(pid) || undefined,
    port: Number(/^port (\d+)$/m.exec(config ?? '')?.[1]) || undefined,
  };
}

/** The port on which our own Redis answers now, if it does. */
export async function findRedis(place: RedisPlace, hint?: number): Promise<number | undefined> {
  const { port } = await readTraces(place);
  for (const candidate of new Set([port, hint])) {
    if (candidate && (await isOurs(place, candidate))) return candidate;
  }
  return undefined;
}

/** Two servers on one append-only file would destroy it: one that is up but still loading is waited for. */
async function waitForAnswer(place: RedisPlace): Promise<number | undefined> {
  const { pid } = await readTraces(place);
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (pid && (await runsProgram(pid, /redis|valkey/))) {
    const port = await findRedis(place);
    if (port) return port;
    if (Date.now() > deadline)
      throw new Error(`Redis (process ${pid}) is up but does not answer: end it and try again.`);
    await pause(200);
  }
  return undefined;
}

async function writeConfig(place: RedisPlace, binary: RedisBinary, port: number): Promise<string> {
  const file = configFile(place);
  const lines = [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${place.secret}`,
    `dir "${dataDir(place)}"`,
    `pidfile "${pidFile(place)}"`,
    'daemonize no',
    'save ""',
    'appendonly yes',
    'appendfsync everysec',
    'maxmemory-policy noeviction',
    // Redis 7 renamed it; an older server refuses to start on a name it does not know.
    `${binary.major >= 7 ? 'hash-max-listpack-value' : 'hash-max-ziplist-value'} 512`,
  ];
  await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  return file;
}

async function waitUntilUp(place: RedisPlace, port: number, server: DetachedServer): Promise<boolean> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!server.exited() && Date.now() < deadline) {
    if (await isOurs(place, port)) return true;
    await pause(50);
  }
  return false;
}

/** Starts our Redis; gives its port. */
export async function startRedis(place: RedisPlace, binary: RedisBinary, hint?: number): Promise<number> {
  await mkdir(dataDir(place), { recursive: true, mode: 0o700 });
  const running = await waitForAnswer(place);
  if (running) return running;
  await writeFile(logFile(place), '', { flag: 'a' });
  await chmod(logFile(place), 0o600);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const port = await freePort(attempt < 2 ? hint : undefined);
    const config = await writeConfig(place, binary, port);
    await giveTo(place.account, dataDir(place));
    const args = binary.wrapper?.({ config, directory: dataDir(place), port }) ?? [config];
    const server = startDetached(binary.path, args, logFile(place), {
      // A wrapper changes the account itself.
      account: binary.wrapper ? undefined : place.account,
      env: binary.env,
    });
    if (await waitUntilUp(place, port, server)) return port;
    await pause(300);
  }
  throw new Error(
    `Redis did not start. The end of ${logFile(place)}:\n${await logTail(logFile(place))}\n` +
      `If its data can go, remove ${dataDir(place)} and try again; or set REDIS_URL.`,
  );
}

/** Stops our Redis after it has written everything down. */
export async function stopRedis(place: RedisPlace, port: number): Promise<void> {
  const url = redisUrl(place, port);
  // The answer to SHUTDOWN is a closed connection.
  await withRedis(url, (redis) => redis.shutdown()).catch(() => undefined);
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (await isOurs(place, port)) {
    if (Date.now() > deadline) throw new Error(`Redis on port ${port} does not stop.`);
    await pause(50);
  }
}
