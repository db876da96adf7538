import { once } from 'node:events';
import { type AddressInfo } from 'node:net';
import { type Express } from 'express';
import { ExpressServer, ServerAdapter } from '../../src/http/express-server.js';

const prototypeOf = (value: object): unknown => Object.getPrototypeOf(value);

/**
 * Express 5 changes the prototype of every request to `app.request`, and of every response to `app.response`.
 * If a version takes the prototypes from elsewhere, requests work, but V8 collects them late: pauses of 4 to
 * 20 ms under load.
 */
test('Express finds the prototypes of requests and responses as it wants them', async () => {
  const own = new ExpressServer();
  const app = new ServerAdapter(own).getInstance<Express>();
  const arrived: unknown[] = [];
  const handled: unknown[] = [];
  own.server.on('request', (request, response) => arrived.push(prototypeOf(request), prototypeOf(response)));
  own.server.on('request', app);
  app.get('/', (request, response) => {
    handled.push(prototypeOf(request), prototypeOf(response));
    response.json({ isOwn: request.app === app && response.app === app, host: request.get('host') });
  });
  const { port } = await listen(own);
  const answer = await fetch(`http://127.0.0.1:${port}/`);
  expect(await answer.json()).toEqual({ isOwn: true, host: `127.0.0.1:${port}` });
  expect(handled).toHaveLength(2);
  expect(handled.map((prototype, index) => prototype === arrived[index])).toEqual([true, true]);
  await close(own);
});

test('each server has an application of its own', () => {
  const [one, other] = [new ExpressServer(), new ExpressServer()].map((own) =>
    new ServerAdapter(own).getInstance<Express>(),
  ) as [Express, Express];
  expect(one.request.app).toBe(one);
  expect(other.request.app).toBe(other);
});

async function listen({ server }: ExpressServer): Promise<AddressInfo> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server.address() as AddressInfo;
}

async function close({ server }: ExpressServer): Promise<void> {
  server.closeAllConnections();
  await once(server.close(), 'close');
}
