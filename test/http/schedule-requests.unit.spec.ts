import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { MAX_LARGE_WAITING, scheduleRequests } from '../../src/http/schedule-requests.js';

const closers: (() => Promise<unknown>)[] = [];

// The rest after a large request ends when the test says so.
beforeEach(() =>
  jest.useFakeTimers({
    doNotFake: ['setImmediate', 'setInterval', 'nextTick', 'queueMicrotask', 'performance'],
  }),
);
afterEach(async () => {
  jest.useRealTimers();
  for (const close of closers.splice(0)) await close();
});

async function startServer() {
  const server = createServer();
  const begun: string[] = [];
  const arrived: string[] = [];
  const handler = (request: IncomingMessage, response: ServerResponse) => {
    begun.push(request.url ?? '');
    request.resume();
    response.end();
  };
  const scheduled = scheduleRequests(handler, () => 'team');
  server.on('request', (request, response) => {
    arrived.push(request.url ?? '');
    scheduled(request, response);
  });
  server.listen(0);
  await once(server, 'listening');
  const sockets: Socket[] = [];
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  const send = async (path: string, headers: string): Promise<Socket> => {
    const socket = connect((server.address() as AddressInfo).port);
    sockets.push(socket);
    await once(socket, 'connect');
    socket.write(`POST ${path} HTTP/1.1\r\nHost: test\r\n${headers}\r\n\r\n`);
    return socket;
  };
  return { begun, arrived, send };
}

const LARGE = 'Content-Length: 20000';
const SMALL = 'Content-Length: 2';

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

test('requests with large bodies begin one at a time; small ones do not wait', async () => {
  const { begun, arrived, send } = await startServer();
  for (const path of ['/large/1', '/large/2', '/large/3']) await send(path, LARGE);
  await until(() => arrived.length === 3);
  expect(begun).toEqual(['/large/1']);
  await send('/small', SMALL);
  await send('/chunked', 'Transfer-Encoding: chunked');
  await until(() => begun.length === 3);
  expect(begun).toEqual(['/large/1', '/small', '/chunked']);
  await until(() => jest.getTimerCount() > 0);
  jest.runOnlyPendingTimers();
  expect(begun[3]).toBe('/large/2');
});

test('a bounded number of requests with large bodies waits', async () => {
  const { begun, arrived, send } = await startServer();
  const total = 1 + MAX_LARGE_WAITING + 2;
  for (let n = 0; n < total; n += 1) await send(`/large/${n}`, LARGE);
  await until(() => arrived.length === total && begun.length >= 3);
  expect(begun).toEqual(['/large/0', `/large/${total - 2}`, `/large/${total - 1}`]);
});
