import { gzipSync } from 'node:zlib';
import { type NestExpressApplication } from '@nestjs/platform-express';
import supertest, { type Response } from 'supertest';
import { createWorld, OPERATOR_TOKEN, type World } from '../support/app.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer } from '../support/calling.js';

const CALLBACK_TOKEN = 'callback-token-of-the-tests';
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const METHODS = ['get', 'post', 'patch', 'put', 'delete'] as const;

interface Route {
  method: (typeof METHODS)[number];
  path: string;
}

let world: World;
let api: NestExpressApplication;
let caller: Caller;
let routes: Route[];

const http = () => supertest(api.getHttpServer());

let sent = 0;

/** Each from an address of its own: an address may send only so many wrong credentials in a time. */
function send({ method, path }: Route, headers: Record<string, string> = {}): Promise<Response> {
  sent += 1;
  const address = `198.18.${Math.floor(sent / 250)}.${sent % 250}`;
  const asked = { 'X-Forwarded-For': address, ...headers };
  const request = http()[method](path).set(asked);
  return Promise.resolve(method === 'get' || method === 'delete' ? request : request.send({}));
}

beforeAll(async () => {
  world = await createWorld({
    simulatorCallbackToken: CALLBACK_TOKEN,
    metricsToken: 'metrics-token-of-tests',
    trustedProxies: '127.0.0.1',
  });
  api = await world.startApi();
  caller = await buildCaller(world.db);
  const { paths } = (await http().get('/docs/openapi.json')).body as {
    paths: Record<string, Record<string, unknown>>;
  };
  routes = Object.entries(paths).flatMap(([path, operations]) =>
    METHODS.filter((method) => method in operations).map((method) => ({
      method,
      path: path.replaceAll(/\{\w+\}/g, UNKNOWN_ID),
    })),
  );
});

afterAll(() => world.close());

test('every documented route has the headers of helmet, and names neither software nor other origins', async () => {
  expect(routes.length).toBeGreaterThan(40);
  for (const route of [...routes, { method: 'get', path: '/nowhere' } as const]) {
    const { headers } = await send(route, { 'X-Forwarded-Proto': 'https' });
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': expect.stringMatching(/^(SAMEORIGIN|DENY)$/) as unknown,
      'content-security-policy': expect.stringMatching(/default-src '(?:self|none)'/) as unknown,
      'strict-transport-security': expect.stringContaining('max-age=') as unknown,
      'referrer-policy': 'no-referrer',
    });
    for (const name of ['x-powered-by', 'server', 'access-control-allow-origin']) {
      expect(headers).not.toHaveProperty(name);
    }
  }
});

test('over plain HTTP no header redirects a browser, or the links of a page, to HTTPS', async () => {
  for (const path of ['/docs', '/', '/platform', '/admin/queues', '/health/live']) {
    const { headers } = await http().get(path);
    expect(headers).not.toHaveProperty('strict-transport-security');
    expect(headers['content-security-policy']).not.toContain('upgrade-insecure-requests');
  }
  const secure = await http().get('/docs').set('X-Forwarded-Proto', 'https');
  expect(secure.headers['content-security-policy']).toContain('upgrade-insecure-requests');
});

test('a browser at / gets links to the documentation and the pages; other clients get the earlier answer', async () => {
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const page = await http().get('/').set('Accept', browser).expect(200);
  expect(page.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', vary: 'Accept' });
  expect(page.text).toContain('<a href="/docs">');
  expect(page.text).toContain('<a href="/start">');
  for (const accept of ['*/*', 'application/json']) {
    const answer = await http().get('/').set('Accept', accept);
    expect([answer.status, answer.body]).toEqual([404, { error: 'Not found' }]);
  }
  await http().post('/').set('Accept', browser).send({}).expect(404);
});

test('every route below /api requires a credential of its own kind, and accepts no other', async () => {
  const own = routes.filter(({ path }) => path.startsWith('/api/'));
  const [teamKey, operator] = [bearer(caller.apiKey), bearer(OPERATOR_TOKEN)];
  for (const route of own) {
    const admin = route.path.startsWith('/api/admin');
    const others = admin
      ? [{}, teamKey, bearer(CALLBACK_TOKEN)]
      : [{}, operator, bearer(`${caller.apiKey}x`)];
    for (const headers of others) {
      const { status, body } = (await send(route, headers)) as { status: number; body: { reason?: string } };
      // The call endpoint answers as the contract has it: an unknown agent is reported without a valid key,
      // too.
      const refused = status === 401 || (status === 500 && body.reason === 'AGENT_NOT_FOUND');
      expect({ ...route, refused }).toEqual({ ...route, refused: true });
    }
  }
});

test('the call endpoint distinguishes a wrong key from an unknown agent, and accepts no operator token', async () => {
  for (const token of ['wrong', OPERATOR_TOKEN, CALLBACK_TOKEN]) {
    const path = `/api/voice-agents/${caller.agentId}/calls`;
    const answer = await send({ method: 'post', path }, bearer(token));
    expect(answer).toMatchObject({ status: 500, body: { reason: 'INVALID_API_KEY' } });
  }
});

test('metrics need their token', async () => {
  expect((await send({ method: 'get', path: '/metrics' })).status).toBe(401);
  expect((await send({ method: 'get', path: '/metrics' }, bearer(OPERATOR_TOKEN))).status).toBe(401);
  expect((await send({ method: 'get', path: '/metrics' }, bearer('metrics-token-of-tests'))).status).toBe(
    200,
  );
});

test('bodies over 256 KB and compressed ones are refused on every surface in its shape', async () => {
  const large = JSON.stringify({ phoneNumber: '+14155552671', note: 'x'.repeat(300 * 1024) });
  const surfaces: [path: string, token: string, field: 'message' | 'error'][] = [
    [`/api/voice-agents/${caller.agentId}/calls`, caller.apiKey, 'message'],
    ['/api/contacts', caller.apiKey, 'error'],
    ['/api/campaigns/enrollments', caller.apiKey, 'error'],
    ['/api/admin/teams', OPERATOR_TOKEN, 'error'],
    ['/api/carriers/simulator/events', CALLBACK_TOKEN, 'error'],
  ];
  for (const [path, token, field] of surfaces) {
    const post = () => http().post(path).set(bearer(token)).set('Content-Type', 'application/json');
    const plain = await post().send(large);
    expect([path, plain.status, plain.body]).toEqual([
      path,
      413,
      expect.objectContaining({ [field]: 'The body must be at most 256 KB' }),
    ]);
    const bomb = gzipSync(Buffer.alloc(20_000_000, ' '));
    const packed = await post()
      .set('Content-Encoding', 'gzip')
      .serialize((body: unknown) => body as string)
      .send(bomb);
    expect([path, packed.status, packed.body]).toEqual([
      path,
      415,
      expect.objectContaining({ [field]: 'The body must have no Content-Encoding' }),
    ]);
  }
});
