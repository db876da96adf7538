import { randomUUID } from 'node:crypto';
import { type NestExpressApplication } from '@nestjs/platform-express';
import supertest, { type Response } from 'supertest';
import { createWorld, type World } from '../support/app.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller } from '../support/call-builders.js';
import { bearer } from '../support/calling.js';
import { testRedisUrl } from '../support/redis.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { NEVER } from './never.js';

const RATE = 50;

let world: World;
let redis: TcpProxy;
let api: NestExpressApplication;

beforeAll(async () => {
  redis = await startTcpProxy(testRedisUrl());
  world = await createWorld({ apiRateLimit: RATE, redisUrl: redis.url });
  api = await world.startApi();
});
afterAll(async () => {
  await world.close();
  await redis.close();
});
afterEach(() => (world.config.apiRateLimit = RATE));

const http = () => supertest(api.getHttpServer());
const read = (key: string): Promise<Response> =>
  http().get(`/api/calls/${randomUUID()}`).set(bearer(key)).then();
const headersOf = ({ headers }: Response) =>
  ['limit', 'remaining', 'reset'].map((name) => headers[`ratelimit-${name}`]);
const NONE = [undefined, undefined, undefined];

test('the headers are on a success, an error and a refusal alike, and not on an answer that was not counted', async () => {
  world.config.apiRateLimit = 1;
  const { agentId, apiKey } = await buildCaller(world.db);
  const accepted = await http()
    .post(`/api/voice-agents/${agentId}/calls`)
    .set(bearer(apiKey))
    .send({ phoneNumber: nextNumber() });
  expect([accepted.status, headersOf(accepted)]).toEqual([200, ['1', '0', '1']]);
  const refused = await Promise.all(Array.from({ length: 20 }, () => read(apiKey)));
  expect(refused.some(({ status }) => status === 429)).toBe(true);
  for (const answer of refused) expect(headersOf(answer)).toEqual(['1', '0', '1']);
  expect(headersOf(await read('od_live_nobody'))).toEqual(NONE);
  expect(headersOf(await http().get('/health/live'))).toEqual(NONE);
  world.config.apiRateLimit = 0;
  expect(headersOf(await read(apiKey))).toEqual(NONE);
});

test('the call endpoint refuses in its own shape, and an idempotency key does not store the refusal', async () => {
  const caller = await buildCaller(world.db);
  const body = { phoneNumber: nextNumber() };
  world.config.apiRateLimit = NEVER;
  const trigger = () =>
    http()
      .post(`/api/voice-agents/${caller.agentId}/calls`)
      .set({ ...bearer(caller.apiKey), 'Idempotency-Key': 'once' })
      .send(body);
  const refused = await trigger();
  expect([refused.status, refused.body]).toEqual([
    429,
    { message: 'Too many requests', reason: 'RATE_LIMITED', retryable: true },
  ]);
  expect(refused.headers['retry-after']).toBe('1');
  world.config.apiRateLimit = RATE;
  const accepted = await trigger();
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
  world.config.apiRateLimit = NEVER;
  const refused = await http()[method](path).set(bearer(apiKey));
  expect([refused.status, refused.body]).toEqual([429, { error: 'Too many requests' }]);
  expect(refused.headers['retry-after']).toBe('1');
});

// The last one, because Redis is gone after it.
test.each(['counted by Redis', 'counted by the process'])('the tokens that are left: %s', async (how) => {
  if (how === 'counted by the process') await redis.cut();
  const { apiKey } = await buildCaller(world.db);
  for (let n = 1; n <= 5; n += 1) {
    const [limit, remaining, reset] = headersOf(await read(apiKey));
    expect([limit, reset]).toEqual([String(RATE), '1']);
    // Time brings some back.
    expect(Number(remaining)).toBeGreaterThanOrEqual(RATE - n);
    expect(Number(remaining)).toBeLessThan(RATE);
  }
});
