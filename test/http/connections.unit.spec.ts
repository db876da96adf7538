import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Connections, IDLE_GRACE_MS } from '../../src/http/connections.js';
import { paceNewConnections } from '../../src/http/new-connections.js';

const MAX = 8;

let server: Server;
const sockets: Socket[] = [];

beforeEach(() => {
  server = createServer((_request, response) => void response.end('ok'));
  new Connections(server, MAX);
});

afterEach(() => {
  jest.useRealTimers();
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
});

/** Whether a request on a new connection is answered. */
async function isServed(): Promise<boolean> {
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  sockets.push(socket);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  return new Promise((resolve) => {
    socket.once('data', () => resolve(true)).once('close', () => resolve(false));
  });
}

test('connections beyond the bound are closed, until one of the others has ended', async () => {
  await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1' }, resolve));
  const served = [];
  for (let n = 0; n < MAX + 2; n += 1) served.push(await isServed());
  expect(served).toEqual([...Array.from({ length: MAX }, () => true), false, false]);

  const [first] = sockets;
  first?.destroy();
  const counted = () =>
    new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
  while ((await counted()) === MAX) await new Promise((resolve) => setImmediate(resolve));
  expect(await isServed()).toBe(true);
});

test('a stopping server answers requests that it has not read yet, and closes idle connections', async () => {
  const BURST = 128;
  const held: ServerResponse[] = [];
  const stopping = createServer((_request, response) => void held.push(response));
  const connections = new Connections(stopping, 10 * BURST);
  paceNewConnections(stopping);
  const accepted: Socket[] = [];
  stopping.on('connection', (socket: Socket) => accepted.push(socket));
  await once(stopping.listen(0, '127.0.0.1'), 'listening');
  const { port } = stopping.address() as AddressInfo;
  const open = () => {
    const client = connect(port, '127.0.0.1')
      .setEncoding('latin1')
      .on('error', () => undefined);
    sockets.push(client);
    return client;
  };
  const clients = Array.from({ length: BURST }, open);
  for (const client of clients) client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const idle = open();
  const answers = clients.map((client) =>
    Promise.race([
      once(client, 'data').then(
        ([text]) => text as string,
        () => 'reset',
      ),
      once(client, 'close').then(
        () => 'closed',
        () => 'reset',
      ),
    ]),
  );
  const closed = Promise.all(
    [...clients, idle].map((client) => new Promise((resolve) => client.resume().once('close', resolve))),
  );
  const nextIteration = () => new Promise((resolve) => setImmediate(resolve));
  while (accepted.length <= BURST || held.length === 0) await nextIteration();

  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
  const drained = connections.drain();
  // Idle connections would be closed now.
  jest.advanceTimersByTime(IDLE_GRACE_MS);
  let left = BURST;
  for (const answer of answers) void answer.then(() => (left -= 1));
  while (left > 0) {
    for (const response of held.splice(0)) response.end('ok');
    await nextIteration();
  }
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1.1 200 /);
  while (accepted.some((socket) => !socket.destroyed && socket.isPaused())) await nextIteration();
  // Once it is read, the idle connection is closed after a whole period without a request.
  for (let period = 0; period < 3; period += 1) {
    jest.advanceTimersByTime(IDLE_GRACE_MS);
    for (let iteration = 0; iteration < 3; iteration += 1) await nextIteration();
  }
  await Promise.all([drained, closed]);
});

describe('a machine that stands still', () => {
  const CLIENTS = 20;
  /** Blocks the event loop: requests arrive in the kernel, and every timer is late. */
  const standStill = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

  async function serving(): Promise<{ connections: Connections; stopping: Server; open: () => Socket }> {
    const stopping = createServer((_request, response) => void response.end('ok'));
    const connections = new Connections(stopping, 1_000);
    await once(stopping.listen(0, '127.0.0.1'), 'listening');
    const { port } = stopping.address() as AddressInfo;
    const open = () => {
      const client = connect(port, '127.0.0.1').setEncoding('latin1');
      sockets.push(client);
      return client;
    };
    return { connections, stopping, open };
  }

  const answerOn = (client: Socket) =>
    new Promise<string>((resolve) => {
      client.once('data', (text: string) => resolve(text.slice(0, 12)));
      client.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      client.once('close', () => resolve('closed'));
    });

  test('a stopping server answers what was sent meanwhile on idle connections', async () => {
    const { connections, open } = await serving();
    const clients = Array.from({ length: CLIENTS }, open);
    for (const client of clients) client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await Promise.all(clients.map((client) => once(client, 'data')));
    const answers = clients.map(answerOn);
    const drained = connections.drain();
    for (const client of clients) client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    standStill(2 * IDLE_GRACE_MS);
    expect(await Promise.all(answers)).toEqual(clients.map(() => 'HTTP/1.1 200'));
    await drained;
  });

  test('a stopping server accepts the connections that the kernel has opened', async () => {
    const { connections, open } = await serving();
    const clients = Array.from({ length: CLIENTS }, open);
    for (const client of clients) client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const answers = clients.map(answerOn);
    standStill(50);
    const drained = connections.drain();
    expect(await Promise.all(answers)).toEqual(clients.map(() => 'HTTP/1.1 200'));
    await drained;
  });

  test('a connection whose timeout passed meanwhile is not closed before it was read', async () => {
    const { stopping, open } = await serving();
    stopping.timeout = 200;
    stopping.keepAliveTimeout = 200;
    const client = open();
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(client, 'data');
    const answer = answerOn(client);
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    // Node adds a second to the time for which a connection is kept.
    standStill(1_500);
    expect(await answer).toBe('HTTP/1.1 200');
    // In silence it is closed.
    await once(client, 'close');
    stopping.close();
  });
});
