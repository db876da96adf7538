import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Connections } from '../../src/http/connections.js';

let server: Server;
const sockets: Socket[] = [];

beforeEach(() => {
  server = createServer((_request, response) => void response.end('ok'));
  new Connections(server, 8);
});

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
});

/** Whether a request on a new connection is answered. */
async function isServed(localAddress: string): Promise<boolean> {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined);
  sockets.push(socket);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  return Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)]);
}

// Unset, it listens on both protocols, and Node writes IPv4 addresses as IPv6 ones.
test.each([
  ['an IPv4 address', '127.0.0.1'],
  ['all addresses', undefined],
])('on %s, one client gets half of the connections, and the others get the rest', async (_, host) => {
  await new Promise<void>((resolve) => server.listen({ port: 0, host }, resolve));
  const own = [];
  for (let n = 0; n < 6; n += 1) own.push(await isServed('127.0.0.1'));
  expect(own).toEqual([true, true, true, true, false, false]);
  expect([await isServed('127.0.0.2'), await isServed('127.0.0.3')]).toEqual([true, true]);

  const [first] = sockets;
  first?.destroy();
  const counted = () =>
    new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
  while ((await counted()) > 5) await new Promise((resolve) => setImmediate(resolve));
  expect(await isServed('127.0.0.4')).toBe(true);
});
