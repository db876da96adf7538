import { createHash, randomUUID } from 'node:crypto';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { Redis } from 'ioredis';
import supertest, { type Response } from 'supertest';
import { Metrics } from '../../src/telemetry/metrics.js';
import { hashApiKey } from '../../src/teams/api-key.js';
import { RateLimiterService } from '../../src/rate-limit/rate-limiter.service.js';
import { createWorld, OPERATOR_TOKEN, type World } from '../support/app.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer } from '../support/calling.js';
import { eventually } from '../support/eventually.js';
import { testRedisUrl } from '../support/redis.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';

// One token a second: time enough to look at an empty bucket, on a slow machine as well.
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

/** Empties a key's bucket; the next token comes after a second. */
const spend = (key: string) => refusalOf(() => read(key));

const limited = (answers: Response[]) => answers.filter(({ status }) => status === 429);

async function counted(api: NestExpressApplication, name: string): Promise<number> {
  const metric = await api.get(Metrics).registry.getSingleMetric(name)?.get();
  return metric?.values[0]?.value ?? 0;
}

const FAILED_OPEN = 'outdial_rate_limiter_failed_open_total';

test('API processes share a key’s bucket', async () => {
  const { apiKey } = await buildCaller(world.db);
  const startedAt = performance.now();
  const answers = await Promise.all(Array.from({ length: 60 }, (_, i) => read(apiKey, apis[i % 2])));
  const seconds = (performance.now() - startedAt) / 1_000;
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
    await read(fresh.apiKey);
    expect(await redis.exists(bucketOf(fresh.apiKey))).toBe(1);
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

function trigger(caller: Caller, idempotencyKey: string = randomUUID()) {
  return http()
    .post(`/api/voice-agents/${caller.agentId}/calls`)
    .set({ ...bearer(caller.apiKey), 'Idempotency-Key': idempotencyKey });
}

test('the call endpoint refuses in its own shape, and an idempotency key does not store the refusal', async () => {
  const caller = await buildCaller(world.db);
  const body = { phoneNumber: nextNumber() };
  await spend(caller.apiKey);
  const refused = await refusalOf(() => trigger(caller, 'once').send(body));
  expect([refused.status, refused.body]).toEqual([
    429,
    { message: 'Too many requests', reason: 'RATE_LIMITED', retryable: true },
  ]);
  expect(refused.headers['retry-after']).toBe('1');
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const accepted = await trigger(caller, 'once').send(body);
  expect([accepted.status, accepted.headers['idempotency-replayed']]).toEqual([200, undefined]);
});

test.each([
  ['get', '/api/calls/x'],
  ['post', '/api/calls/x/cancel'],
  ['get', '/api/contacts/x'],
  ['get', '/API/Contacts/x'],
  ['post', '/api/contacts'],
  ['post', '/api/campaigns/contact-enrollments'],
  ['post', '/api/campaigns/enrollments'],
  ['get', '/api/campaigns/enrollments'],
] as const)('%s %s refuses with `error`', async (method, path) => {
  const { apiKey } = await buildCaller(world.db);
  const refused = await refusalOf(() => http()[method](path).set(bearer(apiKey)));
  expect([refused.status, refused.body]).toEqual([429, { error: 'Too many requests' }]);
  expect(refused.headers['retry-after']).toBe('1');
});

test('the operator, carriers and probes are not limited', async () => {
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
  await spend(caller.apiKey);
  postgresProxy.freeze();
  try {
    const startedAt = performance.now();
    expect((await trigger(caller).send({})).status).toBe(429);
    expect((await read(caller.apiKey)).status).toBe(429);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  } finally {
    await postgresProxy.restore();
  }
});

test('a limit of 0 disables the limit', async () => {
  const { apiKey } = await buildCaller(world.db);
  world.config.apiRateLimit = 0;
  try {
    const answers = await Promise.all(Array.from({ length: 8 }, () => read(apiKey)));
    expect(limited(answers)).toEqual([]);
  } finally {
    world.config.apiRateLimit = RATE;
  }
});

describe('while Redis does not answer', () => {
  const [HUNG_MS, SLACK_MS] = [75, 400];

  test('frozen: only the first request waits, and each process counts separately', async () => {
    const { apiKey } = await buildCaller(world.db);
    const before = await counted(apis[0], FAILED_OPEN);
    redisProxy.freeze();
    try {
      const startedAt = performance.now();
      expect((await read(apiKey)).status).toBe(404);
      expect(performance.now() - startedAt).toBeLessThan(HUNG_MS + SLACK_MS);
      const times: number[] = [];
      let requests = 1;
      const refused = await refusalOf(async () => {
        requests += 1;
        const sentAt = performance.now();
        const answer = await read(apiKey);
        times.push(performance.now() - sentAt);
        return answer;
      });
      expect(refused.headers['retry-after']).toBe('1');
      expect(Math.min(...times)).toBeLessThan(HUNG_MS);
      expect((await counted(apis[0], FAILED_OPEN)) - before).toBe(requests);
    } finally {
      await redisProxy.restore();
    }
  });

  test('gone: requests pass up to the limit; after it is back, all processes share the count again', async () => {
    const { apiKey } = await buildCaller(world.db);
    await redisProxy.cut();
    try {
      const before = await counted(apis[0], FAILED_OPEN);
      const startedAt = performance.now();
      const answers = await Promise.all(Array.from({ length: 8 }, () => read(apiKey)));
      const seconds = (performance.now() - startedAt) / 1_000;
      const passed = answers.filter(({ status }) => status === 404).length;
      expect(passed + limited(answers).length).toBe(8);
      expect(passed).toBeGreaterThanOrEqual(RATE);
      expect(passed).toBeLessThanOrEqual(RATE + Math.ceil(seconds * RATE));
      expect((await counted(apis[0], FAILED_OPEN)) - before).toBe(8);
    } finally {
      await redisProxy.restore();
    }
    const failedOpen = () => counted(apis[0], FAILED_OPEN);
    await eventually(
      async () => {
        const before = await failedOpen();
        await read(apiKey);
        return (await failedOpen()) - before;
      },
      (unanswered) => unanswered === 0,
    );
    await spend(apiKey);
  });

  test('a busy event loop does not count as a slow Redis', async () => {
    const limiter = apis[0].get(RateLimiterService);
    const before = await counted(apis[0], FAILED_OPEN);
    let busy = true;
    const block = () => {
      const until = performance.now() + HUNG_MS + 25;
      while (performance.now() < until);
      if (busy) setImmediate(block);
    };
    setImmediate(block);
    try {
      for (let i = 0; i < 5; i += 1) await limiter.take(hashApiKey(`key ${i}`));
    } finally {
      busy = false;
    }
    expect((await counted(apis[0], FAILED_OPEN)) - before).toBe(0);
  });
});
