import { chmod, mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { giveTo } from './account.js';
import { freePort } from './ports.js';
import { type RedisBinary } from './redis-binary.js';
import { type Account, type DetachedServer, logTail, pause, runsProgram, startDetached } from './run.js';

/** The directory of a private Redis, and the user that runs it. */
export interface RedisDirectory {
  base: string;
  account: Account;
  secret: string;
}

const START_TIMEOUT_MS = 30_000;

const dataDir = (directory: RedisDirectory): string => join(directory.base, 'redis');
const configFile = (directory: RedisDirectory): string => join(dataDir(directory), 'redis.conf');
const pidFile = (directory: RedisDirectory): string => join(dataDir(directory), 'redis.pid');
const logFile = (directory: RedisDirectory): string => join(directory.base, 'redis.log');

/** The URL of the private Redis. */
export function redisUrl(directory: RedisDirectory, port: number): string {
  return `redis://default:${directory.secret}@127.0.0.1:${port}`;
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

async function isOurs(directory: RedisDirectory, port: number): Promise<boolean> {
  try {
    return await withRedis(redisUrl(directory, port), async (redis) => {
      // PING fails while the append-only file is still being loaded.
      await redis.ping();
      const reply = (await redis.config('GET', 'dir')) as string[];
      return (await realpath(reply[1] ?? '')) === (await realpath(dataDir(directory)));
    });
  } catch {
    return false;
  }
}

/** Process id and port as they were last configured; they may be of a server that is long dead. */
async function readTraces(directory: RedisDirectory): Promise<{ pid?: number; port?: number }> {
  const [config, pid] = await Promise.all(
    [configFile(directory), pidFile(directory)].map((file) => readFile(file, 'utf8').catch(() => '')),
  );
  return {
    pid: Number(pid) || undefined,
    port: Number(/^port (\d+)$/m.exec(config ?? '')?.[1]) || undefined,
  };
}

/** The port on which our own Redis answers now, if it does. */
export async function findRedis(directory: RedisDirectory, hint?: number): Promise<number | undefined> {
  const { port } = await readTraces(directory);
  for (const candidate of new Set([port, hint])) {
    if (candidate && (await isOurs(directory, candidate))) return candidate;
  }
  return undefined;
}

/** Two servers on one append-only file would destroy it: one that is up but still loading is waited for. */
async function waitForAnswer(directory: RedisDirectory): Promise<number | undefined> {
  const { pid } = await readTraces(directory);
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (pid && (await runsProgram(pid, /redis|valkey/))) {
    const port = await findRedis(directory);
    if (port) return port;
    if (Date.now() > deadline)
      throw new Error(`Redis (process ${pid}) is up but does not answer: end it and try again.`);
    await pause(200);
  }
  return undefined;
}

async function writeConfig(directory: RedisDirectory, binary: RedisBinary, port: number): Promise<string> {
  const file = configFile(directory);
  const lines = [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${directory.secret}`,
    `dir "${dataDir(directory)}"`,
    `pidfile "${pidFile(directory)}"`,
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

async function waitUntilUp(
  directory: RedisDirectory,
  port: number,
  server: DetachedServer,
): Promise<boolean> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!server.exited() && Date.now() < deadline) {
    if (await isOurs(directory, port)) return true;
    await pause(50);
  }
  return false;
}

/** Starts our Redis; gives its port. */
export async function startRedis(
  directory: RedisDirectory,
  binary: RedisBinary,
  hint?: number,
): Promise<number> {
  await mkdir(dataDir(directory), { recursive: true, mode: 0o700 });
  const running = await waitForAnswer(directory);
  if (running) return running;
  await writeFile(logFile(directory), '', { flag: 'a' });
  await chmod(logFile(directory), 0o600);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const port = await freePort(attempt < 2 ? hint : undefined);
    const config = await writeConfig(directory, binary, port);
    await giveTo(directory.account, dataDir(directory));
    const args = binary.wrapper?.({ config, directory: dataDir(directory), port }) ?? [config];
    const server = startDetached(binary.path, args, logFile(directory), {
      // A wrapper changes the account itself.
      account: binary.wrapper ? undefined : directory.account,
      env: binary.env,
    });
    if (await waitUntilUp(directory, port, server)) return port;
    await pause(300);
  }
  throw new Error(
    `Redis did not start. The end of ${logFile(directory)}:\n${await logTail(logFile(directory))}\n` +
      `If its data can go, remove ${dataDir(directory)} and try again; or set REDIS_URL.`,
  );
}

/** Stops our Redis after it has written everything down. */
export async function stopRedis(directory: RedisDirectory, port: number): Promise<void> {
  const url = redisUrl(directory, port);
  // The answer to SHUTDOWN is a closed connection.
  await withRedis(url, (redis) => redis.shutdown()).catch(() => undefined);
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (await isOurs(directory, port)) {
    if (Date.now() > deadline) throw new Error(`Redis on port ${port} does not stop.`);
    await pause(50);
  }
}
