import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import express from 'express';
import { dropUnreadBodies } from '../../src/http/unread-body.js';

/** More than the kernel takes from a server whose client does not read. */
const ANSWER = 32 * 1024 * 1024;

beforeEach(() =>
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] }),
);
afterEach(() => jest.useRealTimers());

test('a slow client whose body was not read gets the complete answer', async () => {
  const app = express();
  app.use(dropUnreadBodies());
  app.post(
    '/',
    (_request, response) => void response.set('Connection', 'close').end(Buffer.alloc(ANSWER, 'x')),
  );
  const server = createServer(app);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n');
  await once(socket, 'readable');
  // However long the client takes, as long as the answer has not been sent to its end.
  jest.advanceTimersByTime(60_000);
  socket.write('hello');
  let received = 0;
  for await (const chunk of socket) received += (chunk as Buffer).length;
  expect(received).toBeGreaterThan(ANSWER);
  server.close();
});

test('the answer to a body that never ends arrives, and its connection is cut later', async () => {
  const app = express();
  let finished: Promise<unknown> | undefined;
  app.use(dropUnreadBodies());
  app.post('/', (_request, response) => {
    finished = once(response, 'finish');
    response.status(401).end('refused');
  });
  const server = createServer(app);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('latin1');
  const size = 250_000;
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${size}\r\n\r\n`);
  socket.write(Buffer.alloc(size - 1, ' '));
  let answer = '';
  // The server's side ends with the answer. What the client still sends resets nothing.
  for await (const chunk of socket) answer += chunk as string;
  expect(answer).toMatch(/^HTTP\/1.1 401 [\s\S]*Connection: close\r\n[\s\S]*refused$/);
  await finished;
  jest.advanceTimersByTime(2_000);
  server.close();
  await once(server, 'close');
});

/**
 * `destroySoon` of a socket is the one member of Node that is replaced in the API (written for Node 20 and 24).
 * Node calls it to close a connection directly after its last answer. If a version of Node closes connections
 * otherwise, clients with unread bodies lose their answers, and this test fails.
 */
test('Node closes a connection after its last answer by destroySoon, which belongs to the socket’s class', async () => {
  const called = jest.fn();
  const server = createServer((_request, response) => {
    const { socket } = response;
    socket!.destroySoon = () => {
      called();
      Socket.prototype.destroySoon.call(socket);
    };
    response.end('ok');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').resume();
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  await once(socket, 'close');
  expect(called).toHaveBeenCalledTimes(1);
  server.close();
});
