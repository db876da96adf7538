import { createSocket, type Socket } from 'node:dgram';
import { type LookupAddress } from 'node:dns';
import { guardedLookup } from '../../src/http/address-guard.js';
import { type ResolveAll, resolveByDns } from '../../src/http/resolve-by-dns.js';

const A = 1;
const AAAA = 28;
const HEADER = 12;
const FALLBACK_ADDRESS = '10.1.1.1';

/** Addresses by name and record type. The server does not answer a query for any other name. */
const NAMES: Record<string, Partial<Record<number, number[]>>> = {
  'quick.example': { [A]: [93, 184, 216, 34], [AAAA]: [0x26, 6, 0x47, 0, ...Array<number>(11).fill(0), 1] },
  'private.example': { [A]: [10, 0, 0, 1] },
  'no-records.example': {},
  'six.example': { [AAAA]: [0x26, 6, 0x47, 0, ...Array<number>(11).fill(0), 1] },
};

const opened: Socket[] = [];
afterAll(() => opened.forEach((server) => server.close()));

/** Starts a name server. Each test has its own, because the tests run concurrently. */
async function nameServer() {
  const queries: string[] = [];
  const server = createSocket('udp4', (question, from) => {
    const { name, type, end } = questionOf(question);
    queries.push(name);
    const known = NAMES[name];
    if (known !== undefined) server.send(answerTo(question.subarray(0, end), type, known[type]), from.port);
  });
  opened.push(server);
  await new Promise<void>((done) => server.bind(0, '127.0.0.1', done));
  const servers = [`127.0.0.1:${server.address().port}`];
  return { queries, servers, resolve: resolveByDns({ servers }) };
}

function questionOf(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('ascii', at + 1, at + 1 + length).toLowerCase());
    at += 1 + length;
  }
  return { name: labels.join('.'), type: message.readUInt16BE(at + 1), end: at + 5 };
}

function answerTo(question: Buffer, type: number, address: number[] | undefined): Buffer {
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(address === undefined ? 0 : 1, 6);
  head.writeUInt16BE(0, 10);
  if (address === undefined) return head;
  return Buffer.concat([
    head,
    Buffer.from([0xc0, HEADER, 0, type, 0, 1, 0, 0, 0, 60, 0, address.length, ...address]),
  ]);
}

/** Looks a name up. Returns its addresses, or the code of the error. */
const lookUp = (resolve: ResolveAll, name: string) =>
  new Promise<string[] | string | undefined>((done) =>
    resolve(name, { all: true }, (error, found) =>
      done(error === null ? found.map(({ address }) => address) : error.code),
    ),
  );

test.concurrent('a name resolves to its addresses of both families', async () => {
  const { resolve } = await nameServer();
  expect(await lookUp(resolve, 'quick.example')).toEqual(['93.184.216.34', '2606:4700::1']);
  expect(await lookUp(resolve, 'six.example')).toEqual(['2606:4700::1']);
  expect(await lookUp(resolve, 'private.example')).toEqual(['10.0.0.1']);
});

test.concurrent('names whose servers do not answer delay no other name', async () => {
  const { queries, resolve } = await nameServer();
  // A quick answer shortens the resolver's timeout for later queries to the same server.
  await lookUp(resolve, 'quick.example');
  let ended = 0;
  const unanswered = Array.from({ length: 50 }, (_, n) =>
    lookUp(resolve, `unanswered-${n}.example`).then((result) => {
      ended += 1;
      return result;
    }),
  );
  expect(await lookUp(resolve, 'quick.example')).toContain('93.184.216.34');
  expect([ended, new Set(queries).size]).toEqual([0, 51]);
  expect(new Set(await Promise.all(unanswered))).toEqual(new Set(['ETIMEOUT']));
});

test.concurrent('a name of this host causes no query', async () => {
  const { queries, resolve } = await nameServer();
  for (const name of ['localhost', 'a.LOCALHOST', 'localhost.']) {
    expect([name, await lookUp(resolve, name)]).toEqual([name, ['127.0.0.1']]);
  }
  expect(queries).toEqual([]);
});

test.concurrent(
  'the fallback resolves local names and names without records, and no name that times out',
  async () => {
    const { servers } = await nameServer();
    const fallbackQueries: string[] = [];
    const fallback: ResolveAll = (name, _options, callback) => {
      fallbackQueries.push(name);
      callback(null, [{ address: FALLBACK_ADDRESS, family: 4 }]);
    };
    const resolve = resolveByDns({ servers, otherwise: fallback });
    expect(await lookUp(resolve, 'quick.example')).toContain('93.184.216.34');
    expect(await lookUp(resolve, 'no-records.example')).toEqual([FALLBACK_ADDRESS]);
    expect(await lookUp(resolve, 'localhost')).toEqual([FALLBACK_ADDRESS]);
    expect(await lookUp(resolve, 'unanswered.example')).toBe('ETIMEOUT');
    expect(fallbackQueries).toEqual(['no-records.example', 'localhost']);
  },
);

test.concurrent('the guard checks what a name resolves to', async () => {
  const { resolve } = await nameServer();
  const guarded = (name: string) =>
    new Promise<string | LookupAddress[] | undefined>((done) =>
      guardedLookup({ allowPrivate: false }, resolve)(name, { all: true }, (error, found) =>
        done(error?.code ?? found),
      ),
    );
  expect(await guarded('private.example')).toBe('EADDRESSNOTALLOWED');
  expect(await guarded('localhost')).toBe('EADDRESSNOTALLOWED');
  expect(await guarded('six.example')).toEqual([{ address: '2606:4700::1', family: 6 }]);
});
