import { createServer, type Server, type Socket } from 'node:net';
import { type AddressInfo } from 'node:net';
import { Poster } from '../../../src/events/webhooks/delivery/poster.js';
import { answering, Receiver } from './receiver.js';

const PRIVATE = { allowPrivate: true };
const LONG_MS = 60_000;

let receiver: Receiver;
let poster: Poster;

beforeEach(async () => {
  receiver = new Receiver();
  await receiver.listen();
  poster = new Poster(PRIVATE, LONG_MS);
});
afterEach(async () => {
  poster.close();
  await receiver.close();
});

const post = (by = poster, path = '/', url = receiver.url) =>
  by.post(new URL(path, url), { 'content-type': 'application/json' }, Buffer.from('{"a":"ü"}'));

test('sends the body, and gives status and answer', async () => {
  receiver.behave(answering(201, { 'retry-after': '7' }, 'thank you'));
  expect(await post()).toEqual({ kind: 'answer', status: 201, retryAfter: '7', text: 'thank you' });
  expect(receiver.received).toMatchObject([{ path: '/', body: '{"a":"ü"}' }]);
});

test('keeps the connection', async () => {
  for (let n = 0; n < 5; n += 1) await post();
  expect(receiver.opened).toBe(1);
});

test('reads 1 KB of an answer, whole characters, and drops the rest', async () => {
  receiver.behave((_, response) => {
    response.writeHead(200);
    response.write(`${'x'.repeat(1_023)}ü\0`);
    // The rest never ends.
  });
  expect(await post()).toEqual({
    kind: 'answer',
    status: 200,
    retryAfter: undefined,
    text: 'x'.repeat(1_023),
  });
});

test('an answer that Postgres could not store is stored without NUL', async () => {
  receiver.behave(answering(500, {}, 'a\0b'));
  expect(await post()).toMatchObject({ status: 500, text: 'ab' });
});

test('follows no redirect', async () => {
  receiver.behave((received, response) => {
    response.writeHead(received.path === '/' ? 307 : 200, { location: `${receiver.url}/elsewhere` }).end();
  });
  expect(await post()).toMatchObject({ kind: 'answer', status: 307 });
  expect(receiver.received).toHaveLength(1);
});

describe('a receiver that hangs', () => {
  test('before its answer is a timeout', async () => {
    receiver.behave(() => undefined);
    const impatient = new Poster(PRIVATE, 50);
    expect(await post(impatient)).toEqual({ kind: 'error', error: 'timeout' });
    impatient.close();
  });

  test('within its answer has decided', async () => {
    receiver.behave((_, response) => {
      response.writeHead(200).write('begun');
    });
    const impatient = new Poster(PRIVATE, 500);
    expect(await post(impatient)).toMatchObject({ kind: 'answer', status: 200, text: 'begun' });
    impatient.close();
  });

  test('ends as stopped when the poster is closed', async () => {
    const arrived = new Promise<void>((resolve) => receiver.behave(() => resolve()));
    const posting = post();
    await arrived;
    poster.close();
    expect(await posting).toEqual({ kind: 'error', error: 'stopped' });
  });
});

describe('a server of single bytes', () => {
  let server: Server;
  let served: number;

  async function serve(behave: (socket: Socket, nth: number) => void): Promise<string> {
    served = 0;
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', () => behave(socket, (served += 1)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';

  test('that drops a kept connection gets the request once more on another one', async () => {
    const url = await serve((socket, nth) => {
      if (nth === 2) socket.resetAndDestroy();
      else socket.write(OK);
    });
    expect(await post(poster, '/', url)).toMatchObject({ status: 200 });
    expect(await post(poster, '/', url)).toMatchObject({ status: 200 });
    expect(served).toBe(3);
  });

  test('that drops the first connection is a reset', async () => {
    const url = await serve((socket) => socket.resetAndDestroy());
    expect(await post(poster, '/', url)).toEqual({ kind: 'error', error: 'reset' });
    expect(served).toBe(1);
  });

  test('that answers no HTTP is a broken answer', async () => {
    const url = await serve((socket) => socket.end('SSH-2.0-OpenSSH\r\n\r\n'));
    expect(await post(poster, '/', url)).toEqual({ kind: 'error', error: 'broken_answer' });
  });
});

test('a name that leads to a forbidden address is not connected to', async () => {
  const strict = new Poster({ allowPrivate: false }, LONG_MS);
  const url = receiver.url.replace('127.0.0.1', 'localhost');
  expect(await post(strict, '/', url)).toEqual({ kind: 'error', error: 'address_not_allowed' });
  expect(receiver.opened).toBe(0);
  strict.close();
});

test('a host without a server is unreachable', async () => {
  const { url } = receiver;
  await receiver.close();
  expect(await post(poster, '/', url)).toEqual({ kind: 'error', error: 'unreachable' });
  await receiver.listen();
});
