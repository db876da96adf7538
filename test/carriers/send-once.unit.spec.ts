import { createServer, type Server, type Socket } from 'node:net';
import { type AddressInfo } from 'node:net';
import { sendOnce, type SendOnceRequest } from '../../src/carriers/send-once.js';

/*
 * What can be said of a request after each way in which it may fail: only what has left may have rung a
 * telephone.
 */

/** Long enough for a busy machine to connect, and short enough to wait for where nothing ever connects. */
const WITHIN_MS = 20_000;
const SOON_MS = 1_000;

let server: Server | undefined;
const sockets = new Set<Socket>();
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
  server = undefined;
});

/** Listens on a port; what comes of each connection is up to `on`. */
async function listening(on: (socket: Socket) => void): Promise<number> {
  const listener = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    on(socket);
  });
  server = listener;
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  return (listener.address() as AddressInfo).port;
}

function ask(url: string, more: Partial<SendOnceRequest> = {}) {
  const { signal } = new AbortController();
  return sendOnce({
    method: 'POST',
    url: new URL(url),
    body: '{}',
    signal,
    sendWithinMs: WITHIN_MS,
    ...more,
  });
}

const failing =
  (code: string): SendOnceRequest['lookup'] =>
  (_host, _options, callback) =>
    callback(Object.assign(new Error(code), { code }), '', 0);

const UNREACHABLE = { kind: 'unreachable', reason: 'carrier_unreachable' };

test.each(['ENOTFOUND', 'EAI_AGAIN'])('a name that is not resolved (%s) is unreachable', async (code) => {
  expect(await ask('http://carrier.example/', { lookup: failing(code) })).toEqual(UNREACHABLE);
});

test('a port without a listener is unreachable', async () => {
  const port = await listening(() => undefined);
  await new Promise<void>((resolve) => server?.close(() => resolve()));
  server = undefined;
  expect(await ask(`http://127.0.0.1:${port}/`)).toEqual(UNREACHABLE);
});

test('a host that never answers is unreachable before the timeout', async () => {
  const startedAt = performance.now();
  // As a dropped packet: neither an address nor an error comes.
  expect(await ask('http://carrier.example/', { lookup: () => undefined, sendWithinMs: SOON_MS })).toEqual(
    UNREACHABLE,
  );
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(SOON_MS / 2 - 1);
});

test.each<[string, (socket: Socket) => void]>([
  ['is closed', (socket) => socket.once('data', () => socket.destroy())],
  [
    'is answered in another protocol',
    (socket) => socket.once('data', () => socket.end('HTTP/1.1 400 x\r\n\r\n')),
  ],
  ['hangs', () => undefined],
])('a TLS handshake that %s is unreachable: the request comes after it', async (_name, on) => {
  const port = await listening(on);
  expect(await ask(`https://127.0.0.1:${port}/`, { sendWithinMs: SOON_MS })).toEqual(UNREACHABLE);
});

test('a request that was aborted before is unreachable', async () => {
  const result = await ask('http://127.0.0.1:1/', { signal: AbortSignal.abort() });
  expect(result).toEqual({ kind: 'unreachable', reason: 'carrier_timeout' });
});

test('an address that is not allowed is refused permanently', async () => {
  const result = await ask('http://carrier.example/', { lookup: failing('EADDRESSNOTALLOWED') });
  expect(result).toEqual({ kind: 'not_sent', reason: 'carrier_address_not_allowed' });
});

test.each<[string, (socket: Socket) => void, string]>([
  ['a reset', (socket) => socket.once('data', () => socket.resetAndDestroy()), 'carrier_reset'],
  ['an end without an answer', (socket) => socket.once('data', () => socket.end()), 'carrier_reset'],
])('%s after the request is broken: it may have rung a telephone', async (_name, on, reason) => {
  const port = await listening(on);
  expect(await ask(`http://127.0.0.1:${port}/`)).toEqual({ kind: 'broken', reason });
});

test('a request that is aborted after its arrival is broken', async () => {
  const controller = new AbortController();
  const port = await listening((socket) => socket.once('data', () => controller.abort()));
  const result = await ask(`http://127.0.0.1:${port}/`, { signal: controller.signal });
  expect(result).toEqual({ kind: 'broken', reason: 'carrier_timeout' });
});
