import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { sendPieces } from '../../src/http/send-pieces.js';

const server = createServer();
let ended = false;

beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => server.close());
beforeEach(() => (ended = false));

/** Ends only when its reader does not want more. */
async function* endless(): AsyncGenerator<string> {
  try {
    for (;;) yield await Promise.resolve('x'.repeat(64 * 1024));
  } finally {
    ended = true;
  }
}

/** A request of a client that reads nothing, on the server's side. */
async function opened() {
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const asked = once(server, 'request');
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const [, response] = (await asked) as [unknown, ServerResponse];
  return { client, response };
}

test('a client that disconnects during the answer ends it', async () => {
  const { client, response } = await opened();
  const sent = sendPieces(response, endless());
  client.destroy();
  await sent;
  expect(ended).toBe(true);
});

test('a client that disconnects before the first piece ends the answer', async () => {
  const { client, response } = await opened();
  client.destroy();
  await once(response, 'close');
  await sendPieces(response, endless());
  expect(ended).toBe(true);
});
