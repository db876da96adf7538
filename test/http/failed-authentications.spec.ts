import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type NestExpressApplication } from '@nestjs/platform-express';
import supertest, { type Response } from 'supertest';
import { FailedAuthentications } from '../../src/http/failed-authentications.js';
import { createWorld, OPERATOR_TOKEN, type World } from '../support/app.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer } from '../support/calling.js';
import { refusedForFailures, spendFailures } from '../support/failures.js';

const CALLBACK_TOKEN = 'callback-token-of-the-tests';
const METRICS_TOKEN = 'metrics-token-of-the-tests';
const OTHER_ADDRESS = '198.51.100.7';

let world: World;
let api: NestExpressApplication;
let caller: Caller;
let tests = 0;
let address: string;

beforeAll(async () => {
  world = await createWorld({
    simulatorCallbackToken: CALLBACK_TOKEN,
    metricsToken: METRICS_TOKEN,
    httpCarrierSecret: `whsec_${Buffer.alloc(24, 'x').toString('base64')}`,
    trustedProxies: '127.0.0.1',
  });
  caller = await buildCaller(world.db);
  api = await world.startApi();
});
afterAll(() => world.close());
// Each test comes from an address of its own: failures are counted by it.
beforeEach(() => {
  tests += 1;
  address = `203.0.113.${tests}`;
});

const failures = () => api.get(FailedAuthentications);
const http = () => supertest.agent(api.getHttpServer()).set('X-Forwarded-For', address);
const wrong = bearer('od_live_nobody');
const call = () => http().post(`/api/voice-agents/${caller.agentId}/calls`);

const surfaces: [name: string, send: () => PromiseLike<Response>, unauthorized: number, body: object][] = [
  ['the call endpoint', () => call().set(wrong).send({ phoneNumber: '+14155552671' }), 500, callRefusal()],
  ['contacts', () => http().post('/api/contacts').set(wrong).send({}), 401, refusal()],
  ['enrollments', () => http().post('/api/campaigns/enrollments').set(wrong).send({}), 401, refusal()],
  ['a team’s reads', () => http().get(`/api/calls/${randomUUID()}`).set(wrong), 401, refusal()],
  [
    'the operator',
    () =>
      http()
        .get('/api/admin/teams')
        .set(bearer(`${OPERATOR_TOKEN}x`)),
    401,
    refusal(),
  ],
  ['metrics', () => http().get('/metrics').set(bearer('wrong')), 401, refusal()],
  ['the simulator', () => http().post('/api/carriers/simulator/events').set(wrong).send({}), 401, refusal()],
  [
    'the HTTP carrier',
    () => {
      const signature = { 'webhook-id': 'x', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' };
      return http().post('/api/carriers/http/events').set(signature).send({});
    },
    401,
    refusal(),
  ],
];

function refusal(): object {
  return { error: 'Too many failed authentications' };
}

function callRefusal(): object {
  return { message: 'Too many requests', reason: 'RATE_LIMITED', retryable: true };
}

test.each(surfaces)(
  '%s answers 429 in its own shape after too many failures',
  async (_, send, unauthorized, body) => {
    expect((await send()).status).toBe(unauthorized);
    const refused = await refusedForFailures(failures(), send, address);
    expect(refused.body).toEqual(body);
    expect(refused.headers['retry-after']).toBe('1');
  },
);

test('all surfaces share one count, which only failed requests raise', async () => {
  const statuses = new Map<number, number>();
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: 600 }, async (_, i) => {
      const [, send] = surfaces[i % surfaces.length] ?? [];
      const { status } = (await send?.()) ?? { status: 0 };
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }),
  );
  const granted = 200 + Math.ceil(((performance.now() - startedAt) / 1_000) * 20);
  expect(600 - (statuses.get(429) ?? 0)).toBeGreaterThanOrEqual(200);
  expect(600 - (statuses.get(429) ?? 0)).toBeLessThanOrEqual(granted);
});

test('valid credentials from the same address are not counted and never refused', async () => {
  spendFailures(failures(), address);
  for (let i = 0; i < 3; i += 1) {
    await http().get('/api/admin/teams?limit=1').set(bearer(OPERATOR_TOKEN)).expect(200);
    await http().get('/metrics').set(bearer(METRICS_TOKEN)).expect(200);
    await http().post('/api/contacts').set(bearer(caller.apiKey)).send({}).expect(400);
    await call().set(bearer(caller.apiKey)).send({}).expect(400);
    await http().post('/api/carriers/simulator/events').set(bearer(CALLBACK_TOKEN)).send({}).expect(400);
    spendFailures(failures(), address);
  }
});

test('a request without credentials is not counted', async () => {
  spendFailures(failures(), address);
  await http().get('/api/admin/teams').expect(401);
  await http().get(`/api/calls/${randomUUID()}`).expect(401);
  await call().send({}).expect(500);
});

test('another address is not refused', async () => {
  const from = (other: string) =>
    http().get('/api/admin/teams').set(bearer('wrong')).set('X-Forwarded-For', other);
  spendFailures(failures(), OTHER_ADDRESS);
  expect((await from('198.51.100.8')).status).toBe(401);
  expect((await http().get('/api/admin/teams').set(bearer('wrong'))).status).toBe(401);
});

test('a thousand connections of one failing address are served', async () => {
  const { port } = (api.getHttpServer() as { address(): AddressInfo }).address();
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  const path = `/api/calls/${randomUUID()}`;
  const get = (token: string) =>
    new Promise<number>((resolve, reject) => {
      const sent = request({
        host: '127.0.0.1',
        port,
        path,
        agent,
        headers: { ...bearer(token), 'X-Forwarded-For': address },
      });
      sent.on('response', (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      sent.on('error', reject).end();
    });
  // A failure is granted every 50 ms, and a busy machine takes longer for these.
  const spending = setInterval(() => spendFailures(failures(), address), 5);
  try {
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, (_, i) => get(i % 5 === 0 ? 'od_live_nobody' : caller.apiKey)),
    );
    const statuses = new Set(answers.filter((_, i) => i % 5 !== 0));
    expect([...statuses]).toEqual([404]);
    expect(answers.filter((status) => status === 429).length).toBeGreaterThan(0);
  } finally {
    clearInterval(spending);
    agent.destroy();
  }
}, 120_000);
