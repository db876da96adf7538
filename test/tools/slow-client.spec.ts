import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { SlowClient } from '../support/slow-client.js';

let server: Server;
afterEach(async () => {
  server.close();
  await once(server, 'close');
});

test('a client whose connection the server resets has no answer, and is closed', async () => {
  server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const accepting = once(server, 'connection') as Promise<[Socket]>;
  const client = await SlowClient.to((server.address() as AddressInfo).port);
  const [accepted] = await accepting;
  const results = Promise.all([client.status(), client.closed()]);
  accepted.resetAndDestroy();
  await expect(results).resolves.toEqual([null, undefined]);
});
