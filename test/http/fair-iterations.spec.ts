import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import {
  ACCEPTING_GAP_MS,
  scheduleFirstReads,
  FairIterations,
  FIRST_REQUESTS_PER_ITERATION,
  MAX_ACCEPTING_MS,
} from '../../src/http/fair-iterations.js';

const nextIteration = () => new Promise((resolve) => setImmediate(resolve));

interface Recorder {
  iterations: FairIterations;
  /** Senders, in the order in which their work began. */
  begun: string[];
  add: (sender: string) => void;
}

function recorder(maxPerIteration: number, now?: () => number): Recorder {
  const iterations = new FairIterations(maxPerIteration, now);
  const begun: string[] = [];
  return { iterations, begun, add: (sender) => iterations.add(sender, () => begun.push(sender)) };
}

test('work starts at once while the iteration has room', () => {
  const { begun, add } = recorder(3);
  for (const sender of ['a', 'a', 'b']) add(sender);
  expect(begun).toEqual(['a', 'a', 'b']);
});

test('a burst is distributed over iterations, and another sender’s work starts in the next iteration', async () => {
  const { begun, add } = recorder(2);
  for (let n = 0; n < 10; n += 1) add('burst');
  expect(begun).toHaveLength(2);
  add('other');
  await nextIteration();
  expect(begun).toEqual(['burst', 'burst', 'burst', 'other']);
  await nextIteration();
  expect(begun).toHaveLength(6);
});

test('senders alternate', async () => {
  const { begun, add } = recorder(1);
  add('first');
  for (const sender of ['a', 'a', 'a', 'b', 'b', 'c']) add(sender);
  while (begun.length < 7) await nextIteration();
  expect(begun).toEqual(['first', 'a', 'b', 'c', 'a', 'b', 'a']);
});

test('an iteration ends also if no work waits', async () => {
  const { begun, add } = recorder(1);
  add('a');
  await nextIteration();
  add('a');
  expect(begun).toEqual(['a', 'a']);
});

describe('while connections are accepted', () => {
  const START = 5_000;

  /** Iterations of the event loop that accept a connection each. */
  async function acceptFor(iterations: FairIterations, count: number): Promise<void> {
    for (let iteration = 0; iteration < count; iteration += 1) {
      iterations.onAccepted();
      await nextIteration();
    }
  }

  test('a sender’s burst is delayed to single requests, and another sender’s request starts at once', async () => {
    let now = START;
    const { iterations, begun, add } = recorder(4, () => now);
    iterations.onAccepted();
    for (let n = 0; n < 5; n += 1) add('burst');
    await acceptFor(iterations, 5);
    expect(begun).toEqual(['burst']);
    add('other');
    await acceptFor(iterations, 2);
    expect(begun).toEqual(['burst', 'other']);
    now += ACCEPTING_GAP_MS;
    await acceptFor(iterations, 5);
    expect(begun).toEqual(['burst', 'other', 'burst']);
    // An iteration without a connection, and the one after it.
    await nextIteration();
    await nextIteration();
    expect(begun).toHaveLength(6);
  });

  test('the delay of a burst is limited', async () => {
    let now = START;
    const { iterations, begun, add } = recorder(1, () => now);
    iterations.onAccepted();
    for (let n = 0; n < 3; n += 1) add('a');
    await acceptFor(iterations, 3);
    expect(begun).toHaveLength(1);
    now += MAX_ACCEPTING_MS;
    await acceptFor(iterations, 2);
    expect(begun).toHaveLength(3);
  });

  test('connections that open without pause get a tenth of the time', async () => {
    let now = START;
    const { iterations, begun, add } = recorder(1, () => now);
    const acceptBurst = async (ms: number) => {
      iterations.onAccepted();
      now += ms;
      // The burst ends with an iteration without a connection.
      await nextIteration();
      await nextIteration();
      await nextIteration();
    };
    await acceptBurst(MAX_ACCEPTING_MS);
    iterations.onAccepted();
    for (let n = 0; n < 3; n += 1) add('a');
    await acceptFor(iterations, 3);
    expect(begun).toHaveLength(3);
    await nextIteration();
    await nextIteration();
    now += 1_000;
    iterations.onAccepted();
    for (let n = 0; n < 3; n += 1) add('b');
    await acceptFor(iterations, 3);
    expect(begun.filter((sender) => sender === 'b')).toHaveLength(1);
    now += 100;
    await acceptFor(iterations, 3);
    expect(begun.filter((sender) => sender === 'b')).toHaveLength(3);
  });
});

test('connections of one IPv6 network are one sender', async () => {
  const server = new EventEmitter();
  scheduleFirstReads(server as unknown as Server, () => 0);
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
  const BURST = 50;
  const server = createServer((_request, response) => void response.end('ok'));
  scheduleFirstReads(server, () => 0);
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
