import { type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type INestApplicationContext } from '@nestjs/common';
import { Redis } from 'ioredis';
import supertest from 'supertest';
import { Config } from '../../src/config/config.js';
import { HealthService, type Readiness } from '../../src/operations/health.service.js';
import { ScrapeService } from '../../src/operations/scrape.service.js';
import { workerProbes } from '../../src/operations/worker-probes.js';
import { migrate } from '../../src/database/migrate.js';
import { RESTRICTED_ROLE } from '../../src/database/restricted-role.js';
import { PooledTransactions } from '../../src/database/pooled-transactions.js';
import { Transactions } from '../../src/database/transactions.js';
import { DialProcessor } from '../../src/calls/fire/dial.processor.js';
import { JobLoops } from '../../src/queue/job-loops.js';
import { createWorld, type World } from '../support/app.js';
import { createEmptyDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { testRedisUrl } from '../support/redis.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { array, bulk, refuse, type Reply, startFakeRedis } from './fake-redis.js';

let world: World;
let redisProxy: TcpProxy;
let postgresProxy: TcpProxy;
let api: NestExpressApplication;
let workerListener: Server;
let worker: INestApplicationContext;
const loops = new JobLoops();

beforeAll(async () => {
  redisProxy = await startTcpProxy(testRedisUrl());
  world = await createWorld({ redisUrl: redisProxy.url });
  postgresProxy = await startTcpProxy(world.config.databaseUrl);
  world.config.databaseUrl = postgresProxy.url;
  api = await world.startApi();
  worker = await world.startWorker();
  const sources = {
    health: worker.get(HealthService),
    scrape: worker.get(ScrapeService),
    metricsToken: undefined,
  };
  workerListener = workerProbes(() => sources);
  await new Promise<void>((resolve) => workerListener.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  workerListener.close();
  workerListener.closeAllConnections();
  await world.close();
  await redisProxy.close();
  await postgresProxy.close();
});

const GOOD = { process: 'ok', database: 'ok', migrations: 'ok', redis: 'ok', redisEvictionPolicy: 'ok' };

describe.each([
  ['API', () => api.getHttpServer()],
  ['worker', () => workerListener],
])('the %s', (_, server) => {
  const get = (path: string) => supertest(server()).get(path);

  /** Asks until the answer has this status; a probe may have looked a moment before the fault. */
  const readyAnswers = async (status: number, path = '/health/ready', database?: string) => {
    const answer = await eventually(
      async () => get(path),
      (found) => {
        const state = (found.body as Readiness).checks.database;
        return found.status === status && (database === undefined || state === database);
      },
    );
    expect(answer.text).not.toContain('127.0.0.1');
    expect(answer.text).not.toMatch(/postgres:|redis:\/\//);
    return answer.body as Readiness;
  };

  afterEach(async () => {
    await redisProxy.restore();
    await postgresProxy.restore();
    await readyAnswers(200);
  });

  test('is live and ready', async () => {
    const live = await get('/health/live');
    expect([live.status, live.body]).toEqual([200, { status: 'ok' }]);
    expect(await readyAnswers(200)).toEqual({ ready: true, checks: GOOD });
  });

  test('without Redis it is not ready and says so, but live, and able to answer requests', async () => {
    await redisProxy.cut();
    const checks = { ...GOOD, redis: 'unreachable', redisEvictionPolicy: 'unknown' };
    expect(await readyAnswers(503)).toEqual({ ready: false, checks });
    expect(await readyAnswers(200, '/health/ready?without=redis')).toEqual({ ready: true, checks });
    expect((await get('/health/live')).status).toBe(200);
  });

  test('without Postgres it is not ready and says so, but live', async () => {
    await postgresProxy.cut();
    const checks = { ...GOOD, database: 'unreachable', migrations: 'unknown' };
    expect(await readyAnswers(503)).toEqual({ ready: false, checks });
    expect((await readyAnswers(503, '/health/ready?without=redis')).ready).toBe(false);
    expect((await get('/health/live')).status).toBe(200);
  });

  test('servers that hang are named in bounded time, however often it is asked', async () => {
    redisProxy.freeze();
    postgresProxy.freeze();
    // Past what was found before.
    await new Promise((resolve) => setTimeout(resolve, 300));
    const startedAt = performance.now();
    const answers = await Promise.all(Array.from({ length: 30 }, () => get('/health/ready')));
    // Each is waited for once, for less than two seconds, and a busy machine adds its own.
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    for (const { status, body } of answers) {
      expect(status).toBe(503);
      expect((body as Readiness).checks).toMatchObject({ database: 'no answer', redis: 'no answer' });
    }
    expect((await get('/health/live')).status).toBe(200);
  });

  test('a Postgres that is read-only is named, and what it refuses is not sent on by load balancers either', async () => {
    const database = new URL(world.config.databaseUrl).pathname.slice(1);
    const setReadOnly = async (value: string) => {
      await world.db.query(`ALTER DATABASE "${database}" ${value}`);
      // A session has the setting of its start.
      await world.db.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()`,
        [database],
      );
    };
    await setReadOnly('SET default_transaction_read_only = on');
    try {
      const { checks } = await readyAnswers(503, '/health/ready?without=redis', 'is read-only');
      expect(checks).toEqual({ ...GOOD, database: 'is read-only' });
    } finally {
      await setReadOnly('RESET default_transaction_read_only');
    }
  });

  test.each(['SHARE', 'ACCESS EXCLUSIVE'])('a table of calls that is locked is named: %s', async (mode) => {
    const holder = world.db.createQueryRunner();
    await holder.startTransaction();
    await holder.query(`LOCK TABLE call_requests IN ${mode} MODE`);
    try {
      const { checks } = await readyAnswers(503, '/health/ready', 'the table of calls is locked');
      expect(checks).toEqual({ ...GOOD, database: 'the table of calls is locked' });
      expect((await get('/health/live')).status).toBe(200);
    } finally {
      await holder.rollbackTransaction();
      await holder.release();
    }
  });

  test('a migration that has not run is named; one that only a newer version knows is not missed', async () => {
    const [last] = await world.db.query<{ id: number; name: string }[]>(
      'SELECT id, name FROM migrations ORDER BY id DESC LIMIT 1',
    );
    await world.db.query('UPDATE migrations SET name = $1 WHERE id = $2', ['FromTheFuture1', last?.id]);
    try {
      const { checks } = await readyAnswers(503);
      expect(checks).toEqual({ ...GOOD, migrations: `not run: ${last?.name}` });
    } finally {
      await world.db.query('UPDATE migrations SET name = $1 WHERE id = $2', [last?.name, last?.id]);
    }
    await world.db.query(`INSERT INTO migrations (timestamp, name) VALUES (9, 'FromTheFuture2')`);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await get('/health/ready')).status).toBe(200);
    await world.db.query(`DELETE FROM migrations WHERE name = 'FromTheFuture2'`);
  });
});

test('the worker’s listener has nothing else', async () => {
  const { port } = workerListener.address() as AddressInfo;
  for (const [method, path] of [
    ['GET', '/'],
    ['GET', '//'],
    ['POST', '/health/live'],
    ['GET', '/health/ready/x'],
  ] as const) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method });
    expect(answer.status).toBe(404);
  }
});

test('a database before row-level security, or without its role, says what is missing', async () => {
  const database = await createEmptyDatabase();
  const readiness = async (role: string) => {
    const options = { databaseUrl: database.url, poolSize: 1, role, onError: () => undefined };
    const transactions = new PooledTransactions(options);
    try {
      return await new HealthService(transactions, api.get(Redis), api.get(Config), loops).readiness();
    } finally {
      await transactions.close();
    }
  };
  try {
    await migrate(database.url);
    await migrate(database.url, 'revert');
    const { ready, checks } = await readiness(RESTRICTED_ROLE);
    expect(ready).toBe(false);
    expect(checks).toMatchObject({
      database: 'ok',
      migrations: expect.stringMatching(/^not run: /) as string,
    });

    const without = await readiness('outdial_nobody');
    expect(without.ready).toBe(false);
    expect(without.checks.database).toMatch(/^refuses the role .*decisions\/row-level-security\.md$/);
  } finally {
    await database.drop();
  }
});

test('an empty database is reached, and lacks every migration', async () => {
  const empty = await createEmptyDatabase();
  const transactions = new PooledTransactions({
    databaseUrl: empty.url,
    poolSize: 1,
    onError: () => undefined,
  });
  try {
    const { checks } = await new HealthService(
      transactions,
      api.get(Redis),
      api.get(Config),
      loops,
    ).readiness();
    expect(checks.database).toBe('ok');
    expect(checks.migrations).toMatch(/^not run: InitialSchema1763700000000, /);
  } finally {
    await transactions.close();
    await empty.drop();
  }
});

test('a process that is stopping is not ready', async () => {
  const health = new HealthService(api.get(Transactions), api.get(Redis), api.get(Config), loops);
  expect((await health.readiness()).ready).toBe(true);
  health.onModuleDestroy();
  expect(await health.readiness()).toEqual({ ready: false, checks: { ...GOOD, process: 'is stopping' } });
});

test('a worker whose loop has ended takes no jobs, which readiness tells, until it has begun again', async () => {
  const bull = worker.get(DialProcessor).worker as unknown as {
    pause(now: boolean): Promise<void>;
    paused: boolean;
  };
  const ready = () => supertest(workerListener).get('/health/ready');
  // The one way to end it from outside.
  await bull.pause(true);
  const dead = await eventually(ready, ({ status }) => status === 503);
  expect((dead.body as Readiness).checks).toEqual({ ...GOOD, process: 'takes no jobs' });
  expect((await supertest(workerListener).get('/health/live')).status).toBe(200);
  bull.paused = false;
  const again = await eventually(ready, ({ status }) => status === 200);
  expect((again.body as Readiness).checks).toEqual(GOOD);
  expect(worker.get(DialProcessor).worker.isRunning()).toBe(true);
});

test('a worker that starts is live and not ready', async () => {
  const listener = workerProbes(() => undefined);
  const get = (path: string) => supertest(listener).get(path);
  expect((await get('/health/live')).status).toBe(200);
  const ready = await get('/health/ready');
  expect([ready.status, ready.body]).toEqual([503, { ready: false, checks: { process: 'is starting' } }]);
  expect((await get('/metrics')).status).toBe(503);
  expect((await get('/')).status).toBe(404);
  listener.close();
});

describe('the eviction policy', () => {
  const NO_CONFIG = refuse("NOPERM User default has no permissions to run the 'config|get' command");
  const UNKNOWN = 'unknown: Redis does not tell; it must be noeviction';
  const config = (policy: string) => array('maxmemory-policy', policy);
  const info = (policy: string) => bulk(`# Memory\r\nmaxmemory:0\r\nmaxmemory_policy:${policy}\r\n`);

  test.each<[string, Record<string, string>, boolean, string, string]>([
    ['noeviction', { config: config('noeviction') }, true, 'ok', 'ok'],
    ['another', { config: config('allkeys-lru') }, false, 'ok', 'is allkeys-lru, must be noeviction'],
    [
      'noeviction, by INFO where CONFIG is forbidden',
      { config: NO_CONFIG, info: info('noeviction') },
      true,
      'ok',
      'ok',
    ],
    [
      'another, by INFO where CONFIG is forbidden',
      { config: refuse("ERR unknown command 'CONFIG'"), info: info('volatile-ttl') },
      false,
      'ok',
      'is volatile-ttl, must be noeviction',
    ],
    ['nobody tells', { config: NO_CONFIG, info: refuse('NOPERM') }, true, 'ok', UNKNOWN],
    ['CONFIG knows nothing, INFO neither', { config: '*0\r\n', info: bulk('') }, true, 'ok', UNKNOWN],
  ])('%s', async (_, replies, ready, redisState, policyState) => {
    const reply: Reply = ([name = '']) => ({ exists: ':1\r\n', set: '+OK\r\n', ...replies })[name];
    const fake = await startFakeRedis(reply);
    const redis = new Redis(fake.url, { enableReadyCheck: false });
    try {
      await eventually(
        () => Promise.resolve(redis.status),
        (status) => status === 'ready',
      );
      const readiness = await new HealthService(
        api.get(Transactions),
        redis,
        api.get(Config),
        loops,
      ).readiness();
      expect(readiness.checks).toMatchObject({ redis: redisState, redisEvictionPolicy: policyState });
      expect(readiness.ready).toBe(ready);
    } finally {
      redis.disconnect();
      await fake.close();
    }
  });
});

describe('a Redis that answers and does not write', () => {
  test.each([
    ["OOM command not allowed when used memory > 'maxmemory'.", 'has no memory left for writes'],
    ["READONLY You can't write against a read only replica.", 'is a read-only replica'],
    ['MISCONF Redis is configured to save RDB snapshots', 'refuses writes because it cannot save them'],
    ['NOPERM No permissions to access a key', 'refuses writes'],
  ])('%s', async (refusal, state) => {
    const fake = await startFakeRedis(([name = '']) => {
      if (name === 'set') return refuse(refusal);
      return { exists: ':1\r\n', config: array('maxmemory-policy', 'noeviction') }[name];
    });
    const redis = new Redis(fake.url, { enableReadyCheck: false });
    try {
      await eventually(
        () => Promise.resolve(redis.status),
        (status) => status === 'ready',
      );
      const health = new HealthService(api.get(Transactions), redis, api.get(Config), loops);
      expect(await health.readiness()).toEqual({ ready: false, checks: { ...GOOD, redis: state } });
      // Requests can be answered all the same.
      expect((await health.readiness({ withoutRedis: true })).ready).toBe(true);
    } finally {
      redis.disconnect();
      await fake.close();
    }
  });
});

test('however many ask, one write a second is made', async () => {
  const transactions = api.get(Transactions);
  const write = jest.spyOn(transactions, 'inOneRoundTrip');
  try {
    const health = new HealthService(transactions, api.get(Redis), api.get(Config), loops);
    const startedAt = performance.now();
    for (let i = 0; i < 5; i += 1) await Promise.all(Array.from({ length: 20 }, () => health.readiness()));
    const seconds = (performance.now() - startedAt) / 1_000;
    const writes = write.mock.calls.filter(([queries]) =>
      queries.some(({ statement }) => statement.name === 'change_no_call'),
    );
    expect(writes.length).toBeGreaterThanOrEqual(1);
    expect(writes.length).toBeLessThanOrEqual(1 + Math.floor(seconds));
  } finally {
    write.mockRestore();
  }
});
