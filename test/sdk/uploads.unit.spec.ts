import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { ConnectionError, Outdial } from '../../sdk/src/index.js';
import { eventually } from '../support/eventually.js';
import { answers, cuts, PlayedApi, rejection } from './played-api.js';

const ID = '0b0f7a0e-6f0a-4a5e-9d2c-1f6a3f0f5b11';
const api = PlayedApi.ofFile();

const FILE = 'phoneNumber\n+14155550142\n';
const STARTED = answers(202, { importId: ID });
const bytes = () => new TextEncoder().encode(FILE);
async function* parts() {
  for (const part of FILE.split(/(?<=\n)/)) yield await Promise.resolve(part);
}

test.each([
  ['a text', () => FILE],
  ['bytes', bytes],
  ['a Blob', () => new Blob([FILE])],
  ['a function', () => parts],
  ['a function of a stream', () => () => Readable.from([FILE])],
])('%s is sent again', async (_, source) => {
  api.play(cuts, STARTED);
  await expect(api.client().imports.create(source())).resolves.toEqual({ importId: ID });
  expect(api.requests.map(({ body }) => body)).toEqual([FILE, FILE]);
  const [key] = api.sent('idempotency-key');
  expect(api.sent('idempotency-key')).toEqual([key, key]);
});

test.each([
  ['a stream of Node', () => Readable.from([Buffer.from(FILE)])],
  ['a generator', parts],
  ['a web stream', () => new Blob([FILE]).stream()],
])('%s is sent once', async (_, source) => {
  api.play(STARTED);
  await api.client().imports.create(source());
  api.play(cuts, STARTED);
  expect(await rejection(api.client().imports.create(source()))).toBeInstanceOf(ConnectionError);
  expect(api.requests.map(({ body }) => body)).toEqual([FILE, FILE]);
});

test('parameters, type and encoding are sent', async () => {
  api.play(STARTED);
  const options = { contentType: 'application/x-ndjson', contentEncoding: 'gzip' } as const;
  await api.client().imports.create(bytes(), { campaignId: ID, mode: 'create' }, options);
  expect(api.requests[0]).toMatchObject({
    path: `/api/imports?campaignId=${ID}&mode=create`,
    headers: { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' },
  });
});

test('a file that cannot be read is its own error', async () => {
  const broken = new Error('the disk is gone');
  async function* breaking() {
    yield await Promise.resolve('phoneNumber\n');
    throw broken;
  }
  api.play(STARTED);
  expect(await rejection(api.client().imports.create(breaking))).toBe(broken);
});

describe('a server that answers when it likes', () => {
  const PART = Buffer.alloc(524_288, 'x');
  let server: Server;
  let isClosed: boolean;

  /** A source that notes its end. */
  async function* partsOf(count: number) {
    isClosed = false;
    try {
      for (let n = 0; n < count; n += 1) yield await Promise.resolve(PART);
    } finally {
      isClosed = true;
    }
  }

  async function clientOf(behavior: Parameters<typeof createServer>[1]): Promise<Outdial> {
    server = createServer(behavior as Parameters<typeof createServer>[0]);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return new Outdial({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'od_live_key' });
  }

  afterEach(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  });

  const closing = () =>
    eventually(
      () => Promise.resolve(isClosed),
      (closed) => closed,
    );

  test('a refusal in the middle of an upload is thrown, and ends the source', async () => {
    const client = await clientOf((request, response) => {
      request.on('error', () => undefined).resume();
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"no header"}');
    });
    const error = await rejection(client.imports.create(partsOf(Infinity)));
    expect(error).toMatchObject({ status: 400, message: 'no header' });
    await closing();
  });

  test('a signal ends an upload that hangs, and its source', async () => {
    const leaving = new AbortController();
    const client = await clientOf((request) => {
      request.on('error', () => undefined);
      request.once('data', () => leaving.abort(new Error('left')));
    });
    const { signal } = leaving;
    const error = await rejection(client.imports.create(partsOf(Infinity), {}, { signal }));
    expect(error).toEqual(new Error('left'));
    await closing();
  });

  test('a file is not kept in memory', async () => {
    let received = 0;
    const client = await clientOf((request, response) => {
      request.on('data', (part: Buffer) => (received += part.length));
      request.on('end', () => response.writeHead(202).end('{"importId":"x"}'));
    });
    const held = () => process.memoryUsage().arrayBuffers;
    const before = held();
    let most = 0;
    const asking = setInterval(() => (most = Math.max(most, held() - before)), 5);
    async function* copies() {
      for await (const part of partsOf(600)) yield Buffer.from(part);
    }
    await client.imports.create(copies());
    clearInterval(asking);
    expect(received).toBe(600 * PART.length);
    expect(most).toBeLessThan(200_000_000);
  });
});
