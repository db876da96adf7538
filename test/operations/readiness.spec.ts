import { type NestExpressApplication } from '@nestjs/platform-express';
import { Redis } from 'ioredis';
import { Config } from '../../src/config/config.js';
import { MIGRATION_NAMES } from '../../src/database/migrations.js';
import { HealthService } from '../../src/operations/health.service.js';
import { migrate } from '../../src/database/migrate.js';
import { RESTRICTED_ROLE } from '../../src/database/restricted-role.js';
import { ZoneDataInForce } from '../../src/database/zone-data-in-force.js';
import { PooledTransactions } from '../../src/database/pooled-transactions.js';
import { Transactions } from '../../src/database/transactions.js';
import { JobLoops } from '../../src/queue/job-loops.js';
import { createWorld, type World } from '../support/app.js';
import { createEmptyDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { withServer } from '../support/template.js';
import { array, bulk, refuse, type Reply, startFakeRedis } from './fake-redis.js';

let world: World;
let api: NestExpressApplication;
const loops = new JobLoops();

beforeAll(async () => {
  world = await createWorld();
  api = await world.startApi();
});
afterAll(() => world.close());

const GOOD = { process: 'ok', database: 'ok', migrations: 'ok', redis: 'ok', redisEvictionPolicy: 'ok' };

test('a database that lacks a migration or the role is named with what is missing', async () => {
  const database = await createEmptyDatabase();
  const readiness = async (role: string) => {
    const options = { databaseUrl: database.url, poolSize: 1, role, onError: () => undefined };
    const transactions = new PooledTransactions(options);
    try {
      return await new HealthService(
        transactions,
        api.get(Redis),
        api.get(Config),
        loops,
        api.get(ZoneDataInForce),
      ).readiness();
    } finally {
      await transactions.close();
    }
  };
  try {
    await migrate(database.url);
    await withServer(database.url, (client) => client.query('DELETE FROM migrations'));
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

test('an empty database is reachable, and lacks every migration', async () => {
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
      api.get(ZoneDataInForce),
    ).readiness();
    expect(checks.database).toBe('ok');
    expect(checks.migrations).toContain(`not run: ${MIGRATION_NAMES.join(', ')}; `);
  } finally {
    await transactions.close();
    await empty.drop();
  }
});

test('a stopping process is not ready', async () => {
  const health = new HealthService(
    api.get(Transactions),
    api.get(Redis),
    api.get(Config),
    loops,
    api.get(ZoneDataInForce),
  );
  expect((await health.readiness()).ready).toBe(true);
  health.onModuleDestroy();
  expect(await health.readiness()).toMatchObject({
    ready: false,
    checks: { ...GOOD, process: 'is stopping' },
  });
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
    ['the server does not tell', { config: NO_CONFIG, info: refuse('NOPERM') }, true, 'ok', UNKNOWN],
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
        api.get(ZoneDataInForce),
      ).readiness();
      expect(readiness.checks).toMatchObject({ redis: redisState, redisEvictionPolicy: policyState });
      expect(readiness.ready).toBe(ready);
    } finally {
      redis.disconnect();
      await fake.close();
    }
  });
});

describe('a Redis that answers but refuses writes', () => {
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
      const health = new HealthService(
        api.get(Transactions),
        redis,
        api.get(Config),
        loops,
        api.get(ZoneDataInForce),
      );
      expect(await health.readiness()).toMatchObject({ ready: false, checks: { ...GOOD, redis: state } });
      // Requests can be answered all the same.
      expect((await health.readiness({ withoutRedis: true })).ready).toBe(true);
    } finally {
      redis.disconnect();
      await fake.close();
    }
  });
});

test('any number of probes writes once a second', async () => {
  const transactions = api.get(Transactions);
  const write = jest.spyOn(transactions, 'inOneRoundTrip');
  try {
    const health = new HealthService(
      transactions,
      api.get(Redis),
      api.get(Config),
      loops,
      api.get(ZoneDataInForce),
    );
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
