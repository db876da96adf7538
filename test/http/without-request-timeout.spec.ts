import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { withoutRequestTimeout } from '../../src/http/without-request-timeout.js';
import { SlowClient } from '../support/slow-client.js';

test('an exempted request outlasts the server’s request timeout, and the others do not', async () => {
  const server = createServer({ requestTimeout: 200, headersTimeout: 200, connectionsCheckingInterval: 20 });
  server.on('request', (request, response) => {
    if (request.url === '/long') withoutRequestTimeout(request);
    request.resume().once('end', () => response.end('done'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const [long, short] = [await SlowClient.to(port), await SlowClient.to(port)];
  try {
    for (const [client, path] of [
      [long, '/long'],
      [short, '/short'],
    ] as const) {
      client.open('POST', path, { 'Content-Length': 2 });
      client.socket.write('a');
    }
    // The one that began later is over by then.
    expect(await short.status()).toBe(408);
    const later = await SlowClient.to(port);
    later.open('POST', '/short', { 'Content-Length': 2 });
    expect(await later.status()).toBe(408);
    long.socket.write('b');
    expect(await long.status()).toBe(200);
    // Its next request is limited again.
    long.open('POST', '/short', { 'Content-Length': 2 });
    await long.closed();
    expect(long.received).toContain('408');
    later.close();
  } finally {
    long.close();
    short.close();
    server.closeAllConnections();
    server.close();
  }
});
