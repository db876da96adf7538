import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, Server as NetServer } from 'node:net';
import express from 'express';

/*
 * Members of Node (20 and 24) and Express (5.3) that the API uses and that neither documents. Each test says
 * what breaks with a version that is without. Two more are in `unread-body.unit.spec.ts` and
 * `express-server.unit.spec.ts`.
 */

/** Sends a GET, and returns the connection. */
function ask(port: number) {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  return socket;
}

// `connections.ts`, `expectation.ts`: a stopping process would keep its connections until it cuts them.
test('`shouldKeepAlive` of a response says whether its connection stays', async () => {
  const server = createServer((_request, response) => {
    expect(response.shouldKeepAlive).toBe(true);
    response.shouldKeepAlive = false;
    response.end('ok');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  let text = '';
  for await (const chunk of ask((server.address() as AddressInfo).port)) text += chunk as string;
  expect(text).toContain('Connection: close\r\n');
  server.close();
});

// `connections.ts`: a stopping process would reset requests that are on their way on idle connections.
test('`close` of a TCP server closes an HTTP server’s listener, and none of its connections', async () => {
  const server = createServer((_request, response) => void response.end('ok'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = ask(port);
  await once(socket, 'data');
  NetServer.prototype.close.call(server);
  const refused = connect(port, '127.0.0.1');
  await expect(once(refused, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  expect((await once(socket, 'data'))[0]).toContain('HTTP/1.1 200');
  socket.destroy();
  server.closeAllConnections();
  server.close();
});

// `allowed-methods.ts`: a path with another method would be 404 instead of 405.
test('the router of an application has its routes in layers, with their methods', () => {
  const app = express();
  app.post('/contacts/:id', () => undefined);
  const { router } = app as unknown as {
    router: { stack: { route?: { path: unknown; methods: object }; match(path: string): unknown }[] };
  };
  const [layer] = router.stack.filter(({ route }) => route !== undefined);
  expect(layer?.route).toMatchObject({ path: '/contacts/:id', methods: { post: true } });
  expect(['/contacts/1', '/calls'].map((path) => Boolean(layer?.match(path)))).toEqual([true, false]);
});

// `main.ts`: clients without a known key would be scheduled as one behind a proxy.
test('the setting `trust proxy fn` tells the addresses of trusted proxies', () => {
  const app = express();
  app.set('trust proxy', '10.0.0.0/8, 192.0.2.7');
  const trusts = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  expect(['10.1.2.3', '192.0.2.7', '192.0.2.8'].map((address) => trusts(address, 0))).toEqual([
    true,
    true,
    false,
  ]);
});
