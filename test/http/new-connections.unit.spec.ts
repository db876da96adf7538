import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { FIRST_REQUESTS_PER_ITERATION, paceNewConnections } from '../../src/http/new-connections.js';

const nextIteration = () => new Promise((resolve) => setImmediate(resolve));

test('connections of one IPv6 network are one sender', async () => {
  const server = new EventEmitter();
  paceNewConnections(server as unknown as Server);
  const begun: string[] = [];
  const accept = (remoteAddress: string) =>
    server.emit('connection', {
      destroyed: false,
      remoteAddress,
      once: () => undefined,
      pause: () => undefined,
      resume: () => begun.push(remoteAddress),
    });
  for (let n = 1; n <= 5; n += 1) accept(`2001:db8:1:2::${n}`);
  accept('::ffff:192.0.2.1');
  await nextIteration();
  // Two at once, and two in the next iteration: one of each network.
  expect(begun).toEqual(['2001:db8:1:2::1', '2001:db8:1:2::2', '2001:db8:1:2::3', '::ffff:192.0.2.1']);
});

test('connections that send their first requests together, long after they opened, are read in several iterations', async () => {
  const OPEN = 40;
  /** Requests that were read in each iteration. */
  const iterations: number[] = [];
  let inIteration = 0;
  const server = createServer((_request, response) => {
    if (inIteration === 0) {
      setImmediate(() => {
        iterations.push(inIteration);
        inIteration = 0;
      });
    }
    inIteration += 1;
    response.end('ok');
  });
  paceNewConnections(server);
  let resumed = 0;
  const allRead = new Promise<void>((resolve) =>
    server.on('connection', (socket: Socket) =>
      socket.once('resume', () => {
        if ((resumed += 1) === OPEN) resolve();
      }),
    ),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const clients = Array.from({ length: OPEN }, () => connect(port, '127.0.0.1').setEncoding('latin1'));
  await Promise.all([...clients.map((client) => once(client, 'connect')), allRead]);
  const answers = clients.map(async (client) => ((await once(client, 'data')) as string[])[0]);
  for (const client of clients) client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const texts = await Promise.all(answers);
  for (const client of clients) client.destroy();
  server.close();
  for (const text of texts) expect(text).toMatch(/^HTTP\/1.1 200 /);
  // First reads that are due in the same iteration may be added.
  expect(Math.max(...iterations)).toBeLessThanOrEqual(2 * FIRST_REQUESTS_PER_ITERATION);
});

test('connections of a trusted proxy are read at once', () => {
  const server = new EventEmitter();
  paceNewConnections(server as unknown as Server, (address) => address === '192.0.2.1');
  const paused: string[] = [];
  for (const remoteAddress of ['192.0.2.1', '192.0.2.2'])
    server.emit('connection', {
      remoteAddress,
      once: () => undefined,
      pause: () => paused.push(remoteAddress),
      resume: () => undefined,
    });
  expect(paused).toEqual(['192.0.2.2']);
});
