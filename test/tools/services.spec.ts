import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { ensureServices, type Services, servicesStatus, stopServices } from '../../tools/services/ensure.js';
import { pause } from '../../tools/services/run.js';
import { testDatabaseServer } from '../support/database.js';
import { testRedisUrl } from '../support/redis.js';

// A busy machine starts servers slowly.
jest.setTimeout(60_000);

let dataDir: string;

/** Without the URLs of this run, so that private services are started. */
const ensure = (keep = false): Promise<Services> => ensureServices({ dataDir, env: {}, keep });

async function ask<T>(services: Services, question: string): Promise<T> {
  const client = new Client({ connectionString: services.databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ answer: T }>(`SELECT ${question} AS answer`);
    return rows[0]!.answer;
  } finally {
    await client.end();
  }
}

async function onRedis<T>(services: Services, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(services.redisUrl);
  redis.on('error', () => undefined);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

async function serverPids(services: Services): Promise<number[]> {
  const [postgres, redisInfo] = await Promise.all([
    ask<string>(services, `split_part(pg_read_file('postmaster.pid'), E'\\n', 1)`),
    onRedis(services, (redis) => redis.info('server')),
  ]);
  return [Number(postgres), Number(/process_id:(\d+)/.exec(redisInfo)?.[1])];
}

const isUp = async (): Promise<boolean[]> => {
  const { databaseUrl, redisUrl } = await servicesStatus({ dataDir });
  return [databaseUrl !== undefined, redisUrl !== undefined];
};

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'outdial-services-'));
  // The servers may run as another account, and `mkdtemp` admits no other account.
  await chmod(dataDir, 0o711);
});

afterAll(async () => {
  await stopServices({ dataDir });
  await rm(dataDir, { recursive: true, force: true });
});

describe('private services', () => {
  it('start once for two simultaneous users, and stop with the last one', async () => {
    const [one, other] = await Promise.all([ensure(), ensure()]);
    expect([one.startedHere.postgres, other.startedHere.postgres].sort()).toEqual([false, true]);
    expect(other.databaseUrl).toBe(one.databaseUrl);
    expect(other.redisUrl).toBe(one.redisUrl);
    await one.stop();
    expect(await isUp()).toEqual([true, true]);
    await other.stop();
    expect(await isUp()).toEqual([false, false]);
  });

  it('start Postgres with the given settings', async () => {
    const services = await ensureServices({ dataDir, env: {}, postgresSettings: { fsync: 'off' } });
    expect(await ask(services, `current_setting('fsync')`)).toBe('off');
    await services.stop();
  });

  it('are durable, listen on this machine only, and use UTC', async () => {
    const services = await ensure(true);
    expect(await ask(services, `current_setting('listen_addresses')`)).toBe('127.0.0.1');
    for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit']) {
      expect([setting, await ask(services, `current_setting('${setting}')`)]).toEqual([setting, 'on']);
    }
    expect(await ask(services, `current_setting('TimeZone')`)).toBe('UTC');
    const config = await onRedis(services, async (redis) => [
      await redis.config('GET', 'appendonly'),
      await redis.config('GET', 'maxmemory-policy'),
      await redis.config('GET', 'bind'),
    ]);
    expect(config.flat()).toEqual(expect.arrayContaining(['yes', 'noeviction', '127.0.0.1']));
    expect((config.flat() as string[]).filter((value) => value === '0.0.0.0')).toEqual([]);
  });

  it('refuse a client without the password', async () => {
    const services = await ensure();
    const url = new URL(services.databaseUrl);
    url.password = 'wrong';
    await expect(ask({ ...services, databaseUrl: url.toString() }, '1')).rejects.toThrow('password');
    const { port } = new URL(services.redisUrl);
    await expect(
      onRedis({ ...services, redisUrl: `redis://127.0.0.1:${port}` }, (redis) => redis.get('a')),
    ).rejects.toThrow('NOAUTH');
    await services.stop();
  });

  it('stay during the use of others after the request to keep them', async () => {
    const passing = await ensure();
    expect(passing.startedHere).toEqual({ postgres: false, redis: false });
    await passing.stop();
    expect(await isUp()).toEqual([true, true]);
  });

  it('return with their data after both were killed', async () => {
    const before = await ensure();
    await onRedis(before, (redis) => redis.set('kept', 'yes'));
    const client = new Client({ connectionString: before.databaseUrl });
    client.on('error', () => undefined);
    await client.connect();
    await client.query('CREATE TABLE kept AS SELECT 42 AS answer');
    // Redis writes its log to the disk once a second.
    await pause(1_200);
    const pids = await serverPids(before);
    pids.forEach((pid) => process.kill(pid, 'SIGKILL'));
    const after = await ensure();
    expect(after.startedHere).toEqual({ postgres: true, redis: true });
    expect(await ask(after, '(SELECT answer FROM kept)')).toBe(42);
    expect(await onRedis(after, (redis) => redis.get('kept'))).toBe('yes');
    await client.end().catch(() => undefined);
    await before.stop();
    await after.stop();
  });

  it.each([
    ['is of other servers', '{"postgresPort":1,"redisPort":1,"keep":true}'],
    ['is torn', '{"postgresPort":4'],
  ])('are found or replaced if the state file %s', async (_name, content) => {
    await ensure(true);
    await writeFile(join(dataDir, 'services.json'), content);
    const services = await ensure(true);
    expect(services.startedHere).toEqual({ postgres: false, redis: false });
    expect(await isUp()).toEqual([true, true]);
  });

  it('start although a killed process left its lock, a note of use and a partial data directory', async () => {
    await stopServices({ dataDir });
    const dead = spawnSync(process.execPath, ['-e', '0']);
    await rm(join(dataDir, 'postgres'), { recursive: true });
    await mkdir(join(dataDir, 'postgres.new', 'base'), { recursive: true });
    await mkdir(join(dataDir, 'users'), { recursive: true });
    await writeFile(join(dataDir, 'services.lock'), String(dead.pid));
    await writeFile(join(dataDir, 'users', `${dead.pid}-1`), '');
    const services = await ensure();
    expect(services.startedHere).toEqual({ postgres: true, redis: true });
    await services.stop();
    expect(await isUp()).toEqual([false, false]);
  });

  it('that are temporary lose their data when the last user stops them', async () => {
    const one = await ensureServices({ dataDir, env: {}, temporary: true });
    const other = await ensureServices({ dataDir, env: {}, temporary: true });
    await one.stop();
    expect(await isUp()).toEqual([true, true]);
    await other.stop();
    expect(await isUp()).toEqual([false, false]);
    const left = await readdir(dataDir);
    expect(left.filter((name) => name === 'postgres' || name === 'redis')).toEqual([]);
  });
});

describe('given services', () => {
  it('are used unchanged, and never stopped', async () => {
    const env = { DATABASE_URL: testDatabaseServer(), REDIS_URL: testRedisUrl() };
    const services = await ensureServices({ dataDir, env });
    expect(services).toMatchObject({ databaseUrl: env.DATABASE_URL, redisUrl: env.REDIS_URL });
    expect(services.startedHere).toEqual({ postgres: false, redis: false });
    await services.stop();
    expect(await ask(services, '1')).toBe(1);
  });

  it('are named without their password if they are unreachable', async () => {
    const postgres = ensureServices({ dataDir, env: { DATABASE_URL: 'postgres://me:hush@127.0.0.1:1/x' } });
    await expect(postgres).rejects.toThrow(
      /DATABASE_URL \(postgres:\/\/me@127\.0\.0\.1:1\/x\).*ECONNREFUSED/,
    );
    const env = { DATABASE_URL: testDatabaseServer(), REDIS_URL: 'redis://:hush@127.0.0.1:1' };
    await expect(ensureServices({ dataDir, env })).rejects.toThrow(
      /REDIS_URL \(redis:\/\/127\.0\.0\.1:1\).*ECONNREFUSED/,
    );
  });
});
