import { type AddressInfo } from 'node:net';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { createWorld, OPERATOR_TOKEN, type World } from '../support/app.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { SlowClient } from '../support/slow-client.js';

const PAGES_PASSWORD = 'password-of-the-tests';
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const BODY = '{"phoneNumber":"+14155552671"}';

let world: World;
let api: NestExpressApplication;
let caller: Caller;
let port: number;
const clients: SlowClient[] = [];

beforeAll(async () => {
  world = await createWorld({
    bullBoardPassword: PAGES_PASSWORD,
    simulatorCallbackToken: 'callback-token-of-the-tests',
    httpCarrierSecret: `whsec_${'A'.repeat(32)}`,
  });
  api = await world.startApi();
  caller = await buildCaller(world.db);
  port = (api.getHttpServer() as { address(): AddressInfo }).address().port;
});

afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});

afterAll(() => world.close());

/** Sends a head that promises a body, and nothing of the body. */
async function promise(path: string, authorization: string, headers: Record<string, string | number> = {}) {
  const client = await SlowClient.to(port);
  clients.push(client);
  client.open('POST', path, {
    Authorization: authorization,
    'Content-Type': 'application/json',
    'Content-Length': BODY.length,
    ...headers,
  });
  return client;
}

const wrong = 'Bearer wrong';
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

test.each([
  ['the call endpoint, with an unknown agent', () => `/api/voice-agents/${UNKNOWN_ID}/calls`, wrong, 500],
  ['the call endpoint, with a malformed agent', () => '/api/voice-agents/x/calls', wrong, 500],
  ['the call endpoint', () => `/api/voice-agents/${caller.agentId}/calls`, wrong, 500],
  ['contacts', () => '/api/contacts', wrong, 401],
  ['enrollments', () => '/api/campaigns/enrollments', wrong, 401],
  ['contact-enrollments', () => '/api/campaigns/contact-enrollments', wrong, 401],
  ['the operator', () => '/api/admin/teams', wrong, 401],
  ['the pages', () => '/platform/pause', basic('operator:wrong'), 303],
  ['the board', () => '/admin/queues/api/queues', basic('operator:wrong'), 401],
  ['the simulator', () => '/api/carriers/simulator/events', wrong, 401],
  ['an unsigned report', () => '/api/carriers/http/events', wrong, 401],
  ['no route', () => '/api/nowhere', wrong, 404],
])(
  '%s: wrong credentials are refused before the body arrives',
  async (_name, path, authorization, status) => {
    const client = await promise(path(), authorization);
    expect(await client.status()).toBe(status);
  },
);

describe('with `Expect: 100-continue` and `Connection: close`, a 400 ends the connection', () => {
  const headers = { Expect: '100-continue', Connection: 'close' };
  // Less than the time that a body may take to arrive.
  const WITHIN_MS = 15_000;

  /** The answer, and nothing behind it. */
  const answered = expect.stringMatching(
    /^HTTP\/1\.1 400 [\s\S]*\r\nConnection: close\r\n[\s\S]*\}$/,
  ) as string;

  test(
    'after the body was read',
    async () => {
      const client = await promise('/api/contacts', `Bearer ${caller.apiKey}`, headers);
      expect(await client.status()).toBe(100);
      client.socket.write(BODY.replace('2671', 'none'));
      await client.closed();
      expect(client.received.replace('HTTP/1.1 100 Continue\r\n\r\n', '')).toEqual(answered);
    },
    WITHIN_MS,
  );

  test(
    'before the body was asked for',
    async () => {
      const path = '/api/imports?mode=none';
      const client = await promise(path, `Bearer ${caller.apiKey}`, {
        ...headers,
        'Content-Type': 'text/csv',
      });
      await client.closed();
      expect(client.received).toEqual(answered);
    },
    WITHIN_MS,
  );
});

test('the right credentials wait for the body', async () => {
  for (const [path, token] of [
    ['/api/contacts', caller.apiKey],
    ['/api/admin/teams', OPERATOR_TOKEN],
  ] as const) {
    const client = await promise(path, `Bearer ${token}`);
    const waiting = await promise('/api/contacts', wrong);
    await waiting.status();
    expect(client.received).toBe('');
    client.socket.write(BODY);
    expect(await client.status()).toBe(path === '/api/contacts' ? 201 : 400);
  }
});

test('the call endpoint checks in the contract’s order: agent, then key, then body', async () => {
  const unknown = await promise(`/api/voice-agents/${UNKNOWN_ID}/calls`, wrong);
  await unknown.status();
  expect(unknown.received).toContain('AGENT_NOT_FOUND');
  const known = await promise(`/api/voice-agents/${caller.agentId}/calls`, wrong);
  await known.status();
  expect(known.received).toContain('INVALID_API_KEY');
});

describe('an unread body', () => {
  test('does not delay the next request of its connection', async () => {
    const client = await promise('/api/contacts', wrong);
    await client.status();
    client.socket.write(BODY);
    client.open('GET', '/health/live', { Connection: 'close' });
    await client.closed();
    expect(client.received).toMatch(/^HTTP\/1\.1 401[^]*HTTP\/1\.1 200/);
  });

  test.each<Record<string, string>>([{}, { Connection: 'close' }])(
    'does not reset the answer: %j',
    async (headers) => {
      const body = Buffer.alloc(700_000, ' ');
      const client = await promise('/api/contacts', wrong, { 'Content-Length': body.length, ...headers });
      await client.status();
      client.socket.write(body);
      client.open('GET', '/health/live', { Connection: 'close' });
      await client.closed();
      expect(client.received).toMatch(/^HTTP\/1\.1 401[^]*{"error":"Invalid API key","requestId":"[\w-]+"}/);
    },
  );

  test('is cut off beyond its limit', async () => {
    const client = await promise('/api/contacts', wrong, { 'Content-Length': 1_000_000_000 });
    expect(await client.status()).toBe(401);
    const chunk = Buffer.alloc(64 * 1024, ' ');
    let sent = 0;
    while (!client.socket.destroyed) {
      sent += chunk.length;
      if (client.socket.write(chunk)) await new Promise((resolve) => setImmediate(resolve));
      else
        await Promise.race([client.ended(), new Promise((resolve) => client.socket.once('drain', resolve))]);
    }
    // What is in the buffers of both ends comes on top.
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });
});

test('a compressed body is 415 in the shape of its surface, and is not read', async () => {
  const headers = { 'Content-Encoding': 'gzip' };
  const call = await promise(`/api/voice-agents/${caller.agentId}/calls`, `Bearer ${caller.apiKey}`, headers);
  expect(await call.status()).toBe(415);
  expect(call.received).toContain('{"message":"The body must have no Content-Encoding"');
  for (const [path, token] of [
    ['/api/contacts', caller.apiKey],
    ['/api/campaigns/enrollments', caller.apiKey],
    ['/api/admin/teams', OPERATOR_TOKEN],
    ['/api/carriers/simulator/events', 'callback-token-of-the-tests'],
  ] as const) {
    const client = await promise(path, `Bearer ${token}`, headers);
    expect([path, await client.status()]).toEqual([path, 415]);
    expect(client.received).toContain('{"error":"The body must have no Content-Encoding","requestId":"');
  }
  const plain = await promise('/api/contacts', `Bearer ${caller.apiKey}`, { 'Content-Encoding': 'Identity' });
  plain.socket.write(BODY);
  // A duplicate, so it was read.
  await plain.status();
  expect(plain.received).toContain('Contact existed');
});
