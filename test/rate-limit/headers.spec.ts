import { randomUUID } from 'node:crypto';
import { type NestExpressApplication } from '@nestjs/platform-express';
import supertest, { type Response } from 'supertest';
import { createWorld, type World } from '../support/app.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller } from '../support/call-builders.js';
import { bearer } from '../support/calling.js';
import { testRedisUrl } from '../support/redis.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';

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

test('are on a success, an error and a refusal alike, and not on an answer that was not counted', async () => {
  world.config.apiRateLimit = 1;
  const { agentId, apiKey } = await buildCaller(world.db);
  const accepted = await http()
    .post(`/api/voice-agents/${agentId}/calls`)
    .set(bearer(apiKey))
    .send({ phoneNumber: nextNumber() });
  expect([accepted.status, headersOf(accepted)]).toEqual([200, ['1', '0', '1']]);
  const refused = await Promise.all(Array.from({ length: 5 }, () => read(apiKey)));
  expect(refused.some(({ status }) => status === 429)).toBe(true);
  for (const answer of refused) expect(headersOf(answer)).toEqual(['1', '0', '1']);
  expect(headersOf(await read('od_live_nobody'))).toEqual(NONE);
  expect(headersOf(await http().get('/health/live'))).toEqual(NONE);
  world.config.apiRateLimit = 0;
  expect(headersOf(await read(apiKey))).toEqual(NONE);
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
