import { EventEmitter, once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { MAX_UNANSWERED } from '../../src/http/first-request-window.js';
import { FIRST_REQUESTS_PER_ITERATION, scheduleFirstReads } from '../../src/http/new-connections.js';

const BURST = 2 * MAX_UNANSWERED;
const nextIteration = () => new Promise((resolve) => setImmediate(resolve));

test('connections of one IPv6 network are one sender', async () => {
  const server = new EventEmitter();
  scheduleFirstReads(server as unknown as Server, { now: () => 0 });
  const begun: string[] = [];
  const accept = (remoteAddress: string) =>
    server.emit('connection', {
      destroyed: false,
      remoteAddress,
      once: () => undefined,
      resume: () => begun.push(remoteAddress),
    });
  for (let n = 1; n <= 5; n += 1) accept(`2001:db8:1:2::${n}`);
  accept('::ffff:192.0.2.1');
  await nextIteration();
  expect(begun).toEqual(['2001:db8:1:2::1', '::ffff:192.0.2.1']);
});

test('the connections of a burst are read after all are accepted, and each is answered', async () => {
  const server = createServer((_request, response) => void response.end('ok'));
  scheduleFirstReads(server, { now: () => 0 });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const accepted: Socket[] = [];
  const isRead = (socket: Socket) => socket.bytesRead > 0;
  const readAtLast = new Promise<number>((resolve) =>
    server.on('connection', (socket) => {
      if (accepted.push(socket) === BURST) resolve(accepted.filter(isRead).length);
    }),
  );
  const clients = Array.from({ length: BURST }, () => {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    return client.setEncoding('latin1');
  });
  const answers = clients.map(async (client) => {
    let text = '';
    for await (const chunk of client) text += chunk as string;
    return text;
  });
  expect(await readAtLast).toBeLessThan(BURST / 2);
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1.1 200 /);
  server.close();
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
  scheduleFirstReads(server);
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

/** A server that holds its answers, and a burst of connections to it with a request each. */
async function heldBurst(isTrustedProxy: (address: string) => boolean) {
  const held: ServerResponse[] = [];
  let arrived = 0;
  const onArrival = new EventEmitter();
  const server = createServer((_request, response) => {
    arrived += 1;
    held.push(response);
    onArrival.emit('request');
  });
  // Neither the interval nor the longest wait of the window ends by itself.
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
  scheduleFirstReads(server, { now: () => 0, isTrustedProxy });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const clients = Array.from({ length: BURST }, () => {
    const client = connect(port, '127.0.0.1').resume();
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    return client;
  });
  return {
    held,
    arrived: () => arrived,
    untilArrived: async (count: number) => {
      while (arrived < count) await once(onArrival, 'request');
    },
    close: async () => {
      jest.useRealTimers();
      for (const response of held) response.end('ok');
      for (const client of clients) client.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

test('a burst is read as its requests are answered', async () => {
  const { held, arrived, untilArrived, close } = await heldBurst(() => false);
  await untilArrived(MAX_UNANSWERED);
  for (let iteration = 0; iteration < 50; iteration += 1) await nextIteration();
  const first = arrived();
  // Connections whose reading began before the bound was reached are read to their first request.
  expect(first).toBeLessThanOrEqual(MAX_UNANSWERED + FIRST_REQUESTS_PER_ITERATION);
  for (const response of held.splice(0, 10)) response.end('ok');
  await untilArrived(first + 10);
  while (arrived() < BURST) {
    for (const response of held.splice(0)) response.end('ok');
    await nextIteration();
  }
  await close();
});

test('a burst through a trusted proxy is read without an answer', async () => {
  const { untilArrived, close } = await heldBurst((address) => address === '127.0.0.1');
  await untilArrived(BURST);
  await close();
});
