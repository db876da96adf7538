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

function ask(path: string): Socket {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('latin1');
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n`);
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
