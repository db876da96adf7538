import { type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type INestApplicationContext } from '@nestjs/common';
import supertest from 'supertest';
import { HealthService, type Readiness } from '../../src/operations/health.service.js';
import { ScrapeService } from '../../src/operations/scrape.service.js';
import { workerProbes } from '../../src/operations/worker-probes.js';
import { DialProcessor } from '../../src/calls/fire/dial.processor.js';
import { createWorld, type World } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { testRedisUrl } from '../support/redis.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';

let world: World;
let redisProxy: TcpProxy;
let postgresProxy: TcpProxy;
let api: NestExpressApplication;
let workerListener: Server;
let worker: INestApplicationContext;

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
])('readiness of the %s', (_, server) => {
  const get = (path: string) => supertest(server()).get(path);

  /**
   * Asks until the answer has this status and these checks. Each check reuses its result for a while, so the
   * checks of one answer may be from before and after a fault.
   */
  const readyAnswers = async (
    status: number,
    path = '/health/ready',
    wanted: Partial<Readiness['checks']> = {},
  ) => {
    const answer = await eventually(
      async () => get(path),
      (found) => {
        const { checks } = found.body as Readiness;
        return found.status === status && isDeepStrictEqual({ ...checks, ...wanted }, checks);
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
    expect(await readyAnswers(200, '/health/ready', GOOD)).toMatchObject({ ready: true, checks: GOOD });
  });

  test('without Redis it is live and not ready, names Redis, and can still answer requests', async () => {
    await redisProxy.cut();
    const checks = { ...GOOD, redis: 'unreachable', redisEvictionPolicy: 'unknown' };
    expect(await readyAnswers(503, '/health/ready', checks)).toMatchObject({ ready: false, checks });
    const withoutRedis = await readyAnswers(200, '/health/ready?without=redis', checks);
    expect(withoutRedis).toMatchObject({ ready: true, checks });
    expect((await get('/health/live')).status).toBe(200);
  });

  test('without Postgres it is live and not ready, and names Postgres', async () => {
    await postgresProxy.cut();
    const checks = { ...GOOD, database: 'unreachable', migrations: 'unknown' };
    expect(await readyAnswers(503, '/health/ready', checks)).toMatchObject({ ready: false, checks });
    expect((await readyAnswers(503, '/health/ready?without=redis')).ready).toBe(false);
    expect((await get('/health/live')).status).toBe(200);
  });

  test('servers that hang are named in limited time, for any number of probes', async () => {
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

  test('a read-only Postgres is named, also for load balancers that ignore Redis', async () => {
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
      const wanted = { ...GOOD, database: 'is read-only' };
      const { checks } = await readyAnswers(503, '/health/ready?without=redis', wanted);
      expect(checks).toEqual(wanted);
    } finally {
      await setReadOnly('RESET default_transaction_read_only');
    }
  });

  test.each(['SHARE', 'ACCESS EXCLUSIVE'])('a table of calls that is locked is named: %s', async (mode) => {
    const holder = world.db.createQueryRunner();
    await holder.startTransaction();
    await holder.query(`LOCK TABLE call_requests IN ${mode} MODE`);
    try {
      const wanted = { ...GOOD, database: 'the table of calls is locked' };
      const { checks } = await readyAnswers(503, '/health/ready', wanted);
      expect(checks).toEqual(wanted);
      expect((await get('/health/live')).status).toBe(200);
    } finally {
      await holder.rollbackTransaction();
      await holder.release();
    }
  });

  test('a migration that has not run is named; a migration of a newer version is ignored', async () => {
    const [last] = await world.db.query<{ id: number; name: string }[]>(
      'SELECT id, name FROM migrations ORDER BY id DESC LIMIT 1',
    );
    await world.db.query('UPDATE migrations SET name = $1 WHERE id = $2', ['FromTheFuture1', last?.id]);
    try {
      const command = 'run "npm run migrate" (in the image: "node dist/tools/migrate.js")';
      const wanted = { ...GOOD, migrations: `not run: ${last?.name}; ${command}` };
      const { checks } = await readyAnswers(503, '/health/ready', wanted);
      expect(checks).toEqual(wanted);
    } finally {
      await world.db.query('UPDATE migrations SET name = $1 WHERE id = $2', [last?.name, last?.id]);
    }
    await world.db.query(`INSERT INTO migrations (timestamp, name) VALUES (9, 'FromTheFuture2')`);
    // The last answer was 503, so this one is of a new look.
    expect((await readyAnswers(200)).ready).toBe(true);
    await world.db.query(`DELETE FROM migrations WHERE name = 'FromTheFuture2'`);
  });
});

test('the worker’s listener has no other routes', async () => {
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

test('a worker whose loop has ended takes no jobs and is not ready until the loop is restarted', async () => {
  const bull = worker.get(DialProcessor).worker as unknown as {
    pause(now: boolean): Promise<void>;
    paused: boolean;
  };
  const ready = () => supertest(workerListener).get('/health/ready');
  // The one way to end it from outside.
  await bull.pause(true);
  const stopped = { ...GOOD, process: 'takes no jobs' };
  const dead = await eventually(ready, ({ body }) => isDeepStrictEqual((body as Readiness).checks, stopped));
  expect([dead.status, (dead.body as Readiness).checks]).toEqual([503, stopped]);
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
