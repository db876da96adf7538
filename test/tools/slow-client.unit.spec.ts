import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { SlowClient } from '../support/slow-client.js';

let server: Server;
let client: SlowClient;
let accepted: Socket;

beforeEach(async () => {
  server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const accepting = once(server, 'connection') as Promise<[Socket]>;
  client = await SlowClient.to((server.address() as AddressInfo).port);
  [accepted] = await accepting;
});

afterEach(async () => {
  client.close();
  server.close();
  await once(server, 'close');
});

test('after a reset, `ended` resolves, and `status` and `closed` reject', async () => {
  const waiting = Promise.allSettled([client.ended(), client.status(), client.closed()]);
  accepted.resetAndDestroy();
  const reset = { status: 'rejected', reason: expect.objectContaining({ code: 'ECONNRESET' }) as unknown };
  expect(await waiting).toEqual([{ status: 'fulfilled', value: undefined }, reset, reset]);
});

test('after an orderly end without an answer, `status` is null, and `closed` and `ended` resolve', async () => {
  const waiting = Promise.all([client.status(), client.closed(), client.ended()]);
  accepted.end();
  await expect(waiting).resolves.toEqual([null, undefined, undefined]);
});
