import { createHash, randomUUID } from 'node:crypto';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { Redis } from 'ioredis';
import supertest, { type Response } from 'supertest';
import { Metrics } from '../../src/telemetry/metrics.js';
import { hashApiKey } from '../../src/teams/api-key.js';
import { RateLimiterService } from '../../src/rate-limit/rate-limiter.service.js';
import { createWorld, OPERATOR_TOKEN, type World } from '../support/app.js';
import { buildCaller } from '../support/call-builders.js';
import { bearer } from '../support/calling.js';
import { eventually } from '../support/eventually.js';
import { testRedisUrl } from '../support/redis.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { NEVER } from './never.js';

const RATE = 1;

let world: World;
let redisProxy: TcpProxy;
let postgresProxy: TcpProxy;
/** Two processes for one bucket. */
let apis: [NestExpressApplication, NestExpressApplication];

beforeAll(async () => {
  redisProxy = await startTcpProxy(testRedisUrl());
  world = await createWorld({ apiRateLimit: RATE, redisUrl: redisProxy.url });
  postgresProxy = await startTcpProxy(world.config.databaseUrl);
  world.config.databaseUrl = postgresProxy.url;
  apis = [await world.startApi(), await world.startApi()];
});
afterAll(async () => {
  await world.close();
  await redisProxy.close();
  await postgresProxy.close();
});
afterEach(() => {
  jest.restoreAllMocks();
  world.config.apiRateLimit = RATE;
});

const http = (api = apis[0]) => supertest(api.getHttpServer());
const read = (key: string, api = apis[0]): Promise<Response> =>
  http(api).get(`/api/calls/${randomUUID()}`).set(bearer(key)).then();

/** The first refusal of a request that is sent again and again. */
async function refusalOf(send: () => PromiseLike<Response>): Promise<Response> {
  for (let i = 0; i < 20; i += 1) {
    const answer = await send();
    if (answer.status === 429) return answer;
  }
  throw new Error('never refused');
}

/**
 * Stops the time of these processes: pauses, local buckets and what is known of keys. Redis has its own. At a
 * whole millisecond, by which sums of tokens are exact.
 */
const stopTime = () => jest.spyOn(performance, 'now').mockReturnValue(Math.floor(performance.now()));

/** Empties a key's bucket; the next token comes after a second. */
const spend = (key: string) => refusalOf(() => read(key));

const limited = (answers: Response[]) => answers.filter(({ status }) => status === 429);

/** Requests that Redis did not answer in time. */
async function failedOpen(...of: NestExpressApplication[]): Promise<number> {
  const counts = of.map(async (api) => {
    const metric = await api
      .get(Metrics)
      .registry.getSingleMetric('outdial_rate_limiter_failed_open_total')
      ?.get();
    return metric?.values[0]?.value ?? 0;
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

test('API processes share a key’s bucket', async () => {
  const burst = async () => {
    const { apiKey } = await buildCaller(world.db);
    const before = await failedOpen(...apis);
    const startedAt = performance.now();
    const answers = await Promise.all(Array.from({ length: 60 }, (_, i) => read(apiKey, apis[i % 2])));
    const seconds = (performance.now() - startedAt) / 1_000;
    return { answers, seconds, unanswered: (await failedOpen(...apis)) - before };
  };
  // On a busy machine, Redis may be too slow for one of them.
  const { answers, seconds } = await eventually(burst, ({ unanswered }) => unanswered === 0);
  const passed = answers.length - limited(answers).length;
  expect(passed).toBeGreaterThanOrEqual(RATE);
  expect(passed).toBeLessThanOrEqual(RATE + Math.ceil(seconds * RATE));
});

test('each key has its own limit, and an unknown key has no bucket', async () => {
  const [spent, fresh] = [await buildCaller(world.db), await buildCaller(world.db)];
  await spend(spent.apiKey);
  expect((await read(fresh.apiKey)).status).toBe(404);
  const redis = new Redis(testRedisUrl());
  try {
    const bucketOf = (key: string) => {
      const hash = createHash('sha256').update(hashApiKey(key)).digest('base64url');
      return `${world.config.redisPrefix}:tokens:${hash}`;
    };
    // A bucket that is full again is gone.
    await eventually(
      () => read(fresh.apiKey).then(() => redis.exists(bucketOf(fresh.apiKey))),
      (found) => found === 1,
    );
    for (let i = 0; i < 4; i += 1) {
      const key = `od_live_nobody${i % 2}`;
      expect((await read(key)).status).toBe(401);
      expect(await redis.exists(bucketOf(key))).toBe(0);
    }
  } finally {
    redis.disconnect();
  }
});

test('a client that returns after Retry-After is admitted', async () => {
  const { apiKey } = await buildCaller(world.db);
  const refused = await spend(apiKey);
  expect(refused.headers['retry-after']).toBe('1');
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect((await read(apiKey)).status).toBe(404);
});

test('the operator, carriers and probes are not limited', async () => {
  world.config.apiRateLimit = NEVER;
  for (const path of ['/api/admin/teams', '/health/live', '/metrics']) {
    for (let i = 0; i < 4; i += 1) {
      expect((await http().get(path).set(bearer(OPERATOR_TOKEN))).status).toBe(200);
    }
  }
  const report = await http().post('/api/carriers/simulator/events').set(bearer(OPERATOR_TOKEN)).send({});
  expect(report.status).not.toBe(429);
});

test('a refused request does not query Postgres', async () => {
  const caller = await buildCaller(world.db);
  stopTime();
  await read(caller.apiKey);
  world.config.apiRateLimit = NEVER;
  // A request that waits for Postgres is answered otherwise.
  postgresProxy.freeze();
  try {
    const trigger = http().post(`/api/voice-agents/${caller.agentId}/calls`).set(bearer(caller.apiKey));
    expect((await trigger.set('Idempotency-Key', randomUUID()).send({})).status).toBe(429);
    expect((await read(caller.apiKey)).status).toBe(429);
  } finally {
    await postgresProxy.restore();
  }
});

test('a limit of 0 disables the limit', async () => {
  const { apiKey } = await buildCaller(world.db);
  world.config.apiRateLimit = 0;
  const answers = await Promise.all(Array.from({ length: 8 }, () => read(apiKey)));
  expect(limited(answers)).toEqual([]);
});

describe('while Redis does not answer', () => {
  const HUNG_MS = 75;
  type Command = (...values: unknown[]) => Promise<unknown>;

  test('frozen: only the first request waits, and each process counts separately', async () => {
    const { apiKey } = await buildCaller(world.db);
    const order: string[] = [];
    const redis = apis[0].get<Record<'outdialTakeTokens', Command>>(Redis, { strict: false });
    const ask = redis.outdialTakeTokens.bind(redis);
    const asked = jest
      .spyOn(redis, 'outdialTakeTokens')
      .mockImplementation((...values) => ask(...values).finally(() => order.push('Redis')));
    const before = await failedOpen(apis[0]);
    stopTime();
    redisProxy.freeze();
    const second = setTimeout(() => order.push('a second'), 1_000);
    try {
      const first = await apis[0].get(RateLimiterService).take(hashApiKey(apiKey));
      order.push('the limiter');
      expect([first?.waitMs, order]).toEqual([null, ['the limiter']]);
      const refused = await read(apiKey);
      expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
      expect(asked).toHaveBeenCalledTimes(1);
      expect((await failedOpen(apis[0])) - before).toBe(2);
      expect((await read(apiKey, apis[1])).status).toBe(404);
    } finally {
      clearTimeout(second);
      await redisProxy.restore();
    }
  });

  test('gone: requests pass up to the limit; after it is back, all processes share the count again', async () => {
    const { apiKey } = await buildCaller(world.db);
    const time = stopTime();
    await redisProxy.cut();
    try {
      const before = await failedOpen(apis[0]);
      const answers = await Promise.all(Array.from({ length: 8 }, () => read(apiKey)));
      expect(answers.filter(({ status }) => status === 404)).toHaveLength(RATE);
      expect(limited(answers)).toHaveLength(8 - RATE);
      expect((await failedOpen(apis[0])) - before).toBe(8);
    } finally {
      time.mockRestore();
      await redisProxy.restore();
    }
    await eventually(
      async () => {
        const before = await failedOpen(apis[0]);
        await read(apiKey);
        return (await failedOpen(apis[0])) - before;
      },
      (unanswered) => unanswered === 0,
    );
    await spend(apiKey);
  });

  test('a busy event loop does not count as a slow Redis', async () => {
    const limiter = apis[0].get(RateLimiterService);
    let busy = true;
    const block = () => {
      const until = performance.now() + HUNG_MS + 25;
      while (performance.now() < until);
      if (busy) setImmediate(block);
    };
    setImmediate(block);
    try {
      // Each would fail if the iterations' time counted. A Redis that has to share its processor may be slow.
      await eventually(
        async () => {
          const before = await failedOpen(apis[0]);
          for (let i = 0; i < 5; i += 1) await limiter.take(hashApiKey(`key ${i}`));
          return (await failedOpen(apis[0])) - before;
        },
        (unanswered) => unanswered === 0,
      );
    } finally {
      busy = false;
    }
  });
});
