import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, Socket } from 'node:net';
import { TcpProxy } from '../../tools/faults/tcp-proxy.js';

let server: Server;
let proxy: TcpProxy;

beforeEach(async () => {
  server = createServer((socket) => socket.on('error', () => undefined).resume());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy = await new TcpProxy(() => (server.address() as AddressInfo).port).listen();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await proxy.close();
  await new Promise((resolve) => server.close(resolve));
});

// A socket that stays open fails this file: test/support/environment.cjs.
test('cutting a connection during its end leaves no socket open', async () => {
  const client = connect({ port: proxy.port, host: '127.0.0.1', allowHalfOpen: true });
  client.on('error', () => undefined).resume();
  await once(server, 'connection');
  const closed = new Promise((resolve) => client.once('close', resolve));
  // The proxy ends its other side in the iteration in which this one has ended.
  const end = Reflect.get<typeof Socket.prototype, 'end'>(Socket.prototype, 'end');
  jest.spyOn(Socket.prototype, 'end').mockImplementation(function (this: Socket) {
    Reflect.apply(end, this, []);
    if (this !== client) proxy.cut();
    return this;
  });
  client.end();
  await closed;
});
