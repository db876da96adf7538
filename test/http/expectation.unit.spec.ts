import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import express from 'express';
import { openBodies, readBody } from '../../src/http/body-reader.js';
import { deferContinue } from '../../src/http/expectation.js';
import { dropUnreadBodies } from '../../src/http/unread-body.js';

let server: Server;

beforeAll(async () => {
  const app = express();
  app.use(
    dropUnreadBodies(),
    openBodies(() => 1024 * 1024),
  );
  app.post('/refused', (_request, response) => void response.status(401).end());
  app.post('/taken', async (request, response) => {
    const body = await readBody(request);
    response.status(200).end(body.kind === 'bytes' ? body.bytes : body.kind);
  });
  server = createServer(app);
  deferContinue(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => server.close());

function ask(path: string, connection = 'keep-alive'): Socket {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('latin1');
  const headers = `Host: x\r\nConnection: ${connection}\r\nContent-Length: 5\r\nExpect: 100-continue`;
  socket.write(`POST ${path} HTTP/1.1\r\n${headers}\r\n\r\n`);
  return socket;
}

test('a refused request gets no 100 Continue, and its connection ends', async () => {
  const socket = ask('/refused');
  let text = '';
  socket.on('data', (chunk: string) => (text += chunk));
  await once(socket, 'end');
  expect(text).toMatch(/^HTTP\/1\.1 401 .*\r\nConnection: close\r\n/s);
});

test('a request whose body is read gets 100 Continue, and its connection stays', async () => {
  const socket = ask('/taken');
  const [told] = (await once(socket, 'data')) as [string];
  expect(told).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  socket.write('hello');
  const [answer] = (await once(socket, 'data')) as [string];
  expect(answer).toMatch(/^HTTP\/1\.1 200 .*Connection: keep-alive.*\r\n\r\nhello$/s);
  socket.destroy();
});

test('with `Connection: close`, the answer ends the connection, also after 100 Continue', async () => {
  const socket = ask('/taken', 'close');
  await once(socket, 'data');
  let text = '';
  socket.on('data', (chunk: string) => (text += chunk));
  socket.write('hello');
  await once(socket, 'end');
  expect(text).toMatch(/^HTTP\/1\.1 200 .*Connection: close.*\r\n\r\nhello$/s);
});
