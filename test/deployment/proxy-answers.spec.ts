import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { refusalAnswer } from '../../src/calls/trigger/answers.js';
import { refused } from '../../src/calls/trigger/command.js';
import { type RefusalReason } from '../../src/calls/trigger/refusals.js';
import { freePort } from '../../tools/services/ports.js';
import { eventually } from '../support/eventually.js';
import { SlowClient } from '../support/slow-client.js';
import { ask, prepareNginx, startNginx, stopNginx, withNginx } from './support/proxied.js';

const CALLS = '/api/voice-agents/3f0f8f1e-0f5c-4f0e-9d0e-6f2f7e1c1a11/calls';
const ID = 'request-1';
const headers = { 'X-Request-Id': ID };

/** What the call endpoint itself answers. */
const refusal = (reason: RefusalReason, message?: string) => {
  const { status, body } = refusalAnswer(refused(reason, message), ID);
  return { status, body };
};
/** What every other route answers. */
const error = (status: number, text: string) => ({ status, body: { error: text, requestId: ID } });

const servers: Server[] = [];

/** An API that does with each connection what the test says. */
async function upstream(onConnection: Parameters<typeof createServer>[1]): Promise<number> {
  const server = createServer(onConnection);
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

const silent = () => upstream((socket) => socket.on('error', () => undefined).resume());

beforeAll(prepareNginx, 600_000);
afterAll(async () => {
  await stopNginx();
  for (const server of servers) server.close();
});

/** Both shapes of an answer of nginx, and its headers. */
async function answersOf(url: string, body = '{}', from?: string) {
  const [call, other] = await Promise.all(
    [CALLS, '/api/contacts'].map((path) => ask(url + path, { method: 'POST', headers, body, from })),
  );
  const read = (answer: typeof call) => {
    expect(answer?.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': ID,
    });
    return { status: answer?.status, body: JSON.parse(answer?.text ?? '') as unknown };
  };
  const retryAfter = [call, other].map((answer) => answer?.headers['retry-after']);
  return { call: read(call), other: read(other), retryAfter };
}

const UNAVAILABLE = {
  call: refusal('SERVICE_UNAVAILABLE'),
  other: error(503, 'Service unavailable, try again later'),
  retryAfter: ['5', '1'],
};

test(
  'an API that is away (502) is the contract’s unexpected failure, with Retry-After',
  withNginx(async () => {
    const nginx = await startNginx({ apiPort: await freePort() });
    expect(await answersOf(nginx.url)).toEqual(UNAVAILABLE);
    await eventually(
      () => Promise.resolve(nginx.accessLog),
      (log) => / 127\.0\.0\.1 POST 500 .* request-1\n/.test(log),
    );
    expect(nginx.accessLog).not.toContain('/api/');
  }),
);

test(
  'an API that does not answer (504) is the same',
  withNginx(async () => {
    const changes = { 'proxy_read_timeout 60s': 'proxy_read_timeout 1s' };
    const nginx = await startNginx({ apiPort: await silent(), changes });
    expect(await answersOf(nginx.url)).toEqual(UNAVAILABLE);
  }),
);

test(
  'a body that no client sends by mistake is 413 without the API',
  withNginx(async () => {
    const nginx = await startNginx({ apiPort: await freePort() });
    expect(await answersOf(nginx.url, 'x'.repeat(600 * 1024))).toMatchObject({
      call: refusal('PAYLOAD_TOO_LARGE', 'The body must be at most 256 KB'),
      other: error(413, 'The body must be at most 256 KB'),
    });
  }),
);

const RATE_LIMITED = { call: refusal('RATE_LIMITED'), other: error(429, 'Too many requests') };

test(
  'too many requests of an address are 429, but not those of an address in the allow-list',
  withNginx(async () => {
    const changes = { 'rate=1000r/s': 'rate=1r/s', 'burst=2000': 'burst=5' };
    const nginx = await startNginx({ apiPort: await freePort(), changes, allowed: ['127.0.0.3'] });
    const flood = async (from: string) => {
      const asked = Array.from({ length: 20 }, () => ask(`${nginx.url}/api/contacts`, { from }));
      return (await Promise.all(asked)).map(({ status }) => status);
    };
    expect((await flood('127.0.0.2')).filter((status) => status === 429).length).toBeGreaterThan(10);
    expect(await flood('127.0.0.3')).not.toContain(429);
    // Another address has its own count.
    expect((await ask(nginx.url, { from: '127.0.0.4' })).status).toBe(503);
    expect(await answersOf(nginx.url, '{}', '127.0.0.2')).toEqual({
      ...RATE_LIMITED,
      retryAfter: ['1', '1'],
    });
  }),
);

test(
  'so are too many requests of an address at a time, also those whose bodies have not arrived',
  withNginx(async () => {
    const changes = { 'limit_conn connections 1000': 'limit_conn connections 2' };
    const nginx = await startNginx({ apiPort: await freePort(), changes });
    const clients = [await SlowClient.to(nginx.port), await SlowClient.to(nginx.port)];
    for (const client of clients) client.open('POST', CALLS, { 'Content-Length': 10 });
    // nginx may read them after the next one.
    let answers = await answersOf(nginx.url);
    while (answers.call.status !== 429 || answers.other.status !== 429) answers = await answersOf(nginx.url);
    expect(answers).toMatchObject(RATE_LIMITED);
    for (const client of clients) client.close();
  }),
);

test(
  'what cannot be read is refused in JSON',
  withNginx(async () => {
    const nginx = await startNginx({ apiPort: await freePort() });
    const garbage = await SlowClient.to(nginx.port);
    garbage.socket.write('GARBAGE\r\n\r\n');
    await garbage.closed();
    expect(garbage.received).toMatch(
      /^HTTP\/1\.1 400 [^]*{"error":"Bad request","requestId":"\w+","errors":\[{"path":"","message":"Bad request"}\]}$/,
    );
    const long = 'a'.repeat(20_000);
    const path = await ask(`${nginx.url}/${long}`);
    expect([path.status, JSON.parse(path.text)]).toEqual([
      414,
      { error: 'The head of the request is too large', requestId: expect.any(String) as string },
    ]);
    const head = await ask(nginx.url + CALLS, { headers: { 'X-Long': long } });
    expect([head.status, JSON.parse(head.text)]).toEqual([
      431,
      expect.objectContaining({ reason: 'INVALID_REQUEST', retryable: false }),
    ]);
  }),
);

test(
  'a head that arrives too slowly is cut off, and the API never sees it',
  withNginx(async () => {
    let connections = 0;
    const apiPort = await upstream(() => (connections += 1));
    const nginx = await startNginx({
      apiPort,
      changes: { 'client_header_timeout 10s': 'client_header_timeout 1s' },
    });
    const client = await SlowClient.to(nginx.port);
    client.socket.write('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    const drip = setInterval(() => client.socket.write('a'), 100);
    await client.ended();
    clearInterval(drip);
    expect([client.received, connections]).toEqual(['', 0]);
  }),
);

test(
  'a body is at the API only when it has arrived completely',
  withNginx(async () => {
    let received = '';
    const apiPort = await upstream((socket) => {
      let text = '';
      socket.setEncoding('latin1').on('data', (chunk: string) => {
        text += chunk;
        received += chunk;
        if (text.includes('12345')) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      });
    });
    const nginx = await startNginx({ apiPort });
    const client = await SlowClient.to(nginx.port);
    client.open('POST', '/api/contacts', { 'Content-Length': 5, 'X-Forwarded-For': '192.0.2.6' });
    client.socket.write('1234');
    // A request that came later is through.
    expect((await ask(`${nginx.url}/?12345`)).status).toBe(200);
    expect(received).not.toContain('/api/contacts');
    client.socket.write('5');
    expect(await client.status()).toBe(200);
    client.close();
    // The address that the client claimed is replaced.
    expect(received).toMatch(/POST \/api\/contacts HTTP\/1\.1\r\n[^]*X-Forwarded-For: 127\.0\.0\.1\r\n/);
    expect(received).not.toContain('192.0.2.6');
  }),
);

test.each([
  ['an event stream', 'text/event-stream', 'data: first\n\n'],
  ['an export', 'text/csv; charset=utf-8', 'id,name\n'],
])('%s is passed on as it comes', async (_, type, first) => {
  await withNginx(async () => {
    let finish = () => {};
    const apiPort = await upstream((socket) => {
      socket.once('data', () => {
        const head = `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nX-Accel-Buffering: no\r\nTransfer-Encoding: chunked\r\n\r\n`;
        socket.write(`${head}${first.length.toString(16)}\r\n${first}\r\n`);
      });
      finish = () => socket.end('4\r\nlast\r\n0\r\n\r\n');
    });
    const nginx = await startNginx({ apiPort });
    const client = await SlowClient.to(nginx.port);
    client.open('GET', '/api/contacts/export', {});
    while (!client.received.includes(first)) await once(client.socket, 'data');
    expect(client.received).not.toContain('last');
    finish();
    while (!client.received.includes('last')) await once(client.socket, 'data');
    // The header was for nginx.
    expect(client.received).not.toMatch(/x-accel/i);
    client.close();
  })();
});
