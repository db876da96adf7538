import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import express from 'express';
import { AppError } from '../../src/http/app-error.js';
import { openBodies, readBody } from '../../src/http/body-reader.js';

// A quarter of it is for senders without a known key, of which one has half.
const MEMORY = 1024 * 1024;
const BODY = Buffer.alloc(16 * 1024, 'x');

let server: Server;
let read: () => void = () => undefined;

beforeAll(async () => {
  const app = express();
  app.use(openBodies(() => MEMORY));
  // Answers nothing, so that what is pipelined behind it stays unanswered.
  app.get('/slow', () => undefined);
  app.post('/body', async (request, response) => {
    const status = await readBody(request).then(
      () => 200,
      (error: unknown) => (error instanceof AppError && error.code === 'RATE_LIMITED' ? 429 : 500),
    );
    read();
    response.status(status).end();
  });
  server = createServer(app);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => server.close());

const port = () => (server.address() as AddressInfo).port;

async function leaveBehindPipelinedBody(): Promise<void> {
  const socket = connect(port(), '127.0.0.1');
  const bodyRead = new Promise<void>((resolve) => (read = resolve));
  const accepted = once(server, 'connection');
  socket.write(
    `GET /slow HTTP/1.1\r\nHost: x\r\n\r\nPOST /body HTTP/1.1\r\nHost: x\r\nContent-Length: ${BODY.length}\r\n\r\n`,
  );
  socket.write(BODY);
  const [atServer] = (await accepted) as [{ closed: boolean } & NodeJS.EventEmitter];
  await bodyRead;
  const gone = once(atServer, 'close');
  socket.destroy();
  await gone;
}

test('a client that disconnects while its body waits behind another answer releases the memory', async () => {
  for (let n = 0; n < 20; n += 1) await leaveBehindPipelinedBody();
  const answer = await fetch(`http://127.0.0.1:${port()}/body`, { method: 'POST', body: BODY });
  expect(answer.status).toBe(200);
});
