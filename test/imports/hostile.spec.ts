import { once } from 'node:events';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer, Calling } from '../support/calling.js';
import { CSV, csvOf, ImportClient, NDJSON } from './import-client.js';

let calling: Calling;
let imports: ImportClient;
let caller: Caller;

beforeAll(async () => {
  calling = await Calling.start();
  imports = new ImportClient(calling);
});
afterAll(() => calling.close());
beforeEach(async () => {
  caller = await buildCaller(calling.db);
});

interface Answer {
  status: number;
  body: { error?: string; importId?: string };
  /** Bytes that the client could send before it was answered. */
  sent: number;
}

const CHUNK = 64 * 1024;

/** `bytes` of one character after a beginning, made as they are sent. */
function* endless(beginning: string, bytes: number, character = 'a'): Generator<Buffer> {
  yield Buffer.from(beginning);
  const chunk = Buffer.alloc(CHUNK, character);
  for (let at = 0; at < bytes; at += CHUNK) yield chunk;
}

/** Sends a body that need not fit into memory. */
async function stream(pieces: Readable, headers: Record<string, string>): Promise<Answer> {
  const { port } = calling.api.getHttpServer().address() as { port: number };
  const sending = request({
    port,
    method: 'POST',
    path: '/api/imports',
    headers: { ...bearer(caller.apiKey), 'Content-Type': CSV, ...headers },
  });
  let sent = 0;
  pieces.on('data', (chunk: Buffer) => (sent += chunk.length));
  // The server may close the connection while more is being sent.
  sending.on('error', () => undefined);
  pieces.pipe(sending);
  const [response] = (await once(sending, 'response')) as [Readable & { statusCode: number }];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  pieces.destroy();
  sending.destroy();
  return { status: response.statusCode, body: JSON.parse(text) as Answer['body'], sent };
}

async function expectFailed(answer: Pick<Answer, 'status' | 'body'>, status: number, error: string | RegExp) {
  expect([answer.status, answer.body.error]).toEqual([
    status,
    typeof error === 'string' ? error : expect.stringMatching(error),
  ]);
  const [failed] = await imports.list(caller);
  expect(failed).toMatchObject({
    importId: answer.body.importId,
    status: 'failed',
    error: answer.body.error,
  });
}

test('a line of two gigabytes is refused after 256 KB', async () => {
  const line = () => Readable.from(endless('phoneNumber\n+1', 2 * 1024 ** 3));
  const csv = await stream(line(), {});
  await expectFailed(csv, 413, 'Row 1 is larger than 256 KB');
  expect(csv.sent).toBeLessThan(64 * 1024 ** 2);
  const ndjson = await stream(Readable.from(endless('{"a":"', 2 * 1024 ** 3)), { 'Content-Type': NDJSON });
  await expectFailed(ndjson, 413, 'Row 1 is larger than 256 KB');
  await expectFailed(
    await stream(Readable.from(endless('', 2 * 1024 ** 3)), {}),
    413,
    'The header is larger than 256 KB',
  );
});

test('a gzip bomb is refused, whatever it expands to', async () => {
  const bomb = (pieces: Iterable<Buffer>) => Readable.from(pieces).pipe(createGzip());
  const zeros = await stream(bomb(endless('phoneNumber\n', 1024 ** 3, '\0')), { 'Content-Encoding': 'gzip' });
  await expectFailed(zeros, 413, 'Row 1 is larger than 256 KB');
  const lines = await stream(bomb(endless('phoneNumber\n', 1024 ** 3, '\n')), { 'Content-Encoding': 'gzip' });
  await expectFailed(lines, 413, 'The body expands to more than 200 times its size');
});

test.each([
  [
    'what is no gzip',
    Buffer.from('phoneNumber\n'),
    { 'Content-Encoding': 'gzip' },
    'The body is not valid gzip',
  ],
  [
    'Latin-1',
    Buffer.from('phoneNumber,name\n+14152000000,Zo\xeb\n', 'latin1'),
    {},
    'Row 1 is not valid UTF-8: the file looks like Windows-1252 (or ISO 8859-1); save it as UTF-8',
  ],
  [
    'UTF-16 without a byte order mark',
    Buffer.from(csvOf(1), 'utf16le'),
    {},
    'Column 1 of the header contains a NUL character; if the file is in UTF-16, it must begin with a byte order mark',
  ],
  [
    'a cut character',
    Buffer.from('phoneNumber\n+1\xe2\x82', 'latin1'),
    {},
    'Row 1 is not valid UTF-8: the file ends within a character',
  ],
  [
    'no column for the number',
    Buffer.from('name,email\nAda,\n'),
    {},
    /^The header must have the column phoneNumber, or one that is named Phone/,
  ],
  ['a column without a name', Buffer.from('phoneNumber,,a\n'), {}, 'Column 2 of the header has no name'],
  [
    'one name twice',
    Buffer.from('phoneNumber,a,a\n'),
    {},
    'Column 3 of the header has the name of another one',
  ],
  ['__proto__', Buffer.from('phoneNumber,__proto__\n'), {}, 'A column is named __proto__'],
  ['a quotation mark that does not end', Buffer.from('phoneNumber\n"+1415\n'), {}, /^Row 1 is not valid CSV/],
  ['a header only', Buffer.from('phoneNumber,name\n'), {}, 'The body has no rows'],
  ['nothing', Buffer.from('\n'), {}, 'The body has no rows'],
  [
    '10,000 columns',
    Buffer.from(`phoneNumber,${Array.from({ length: 9_999 }, (_, n) => `c${n}`).join(',')}\n`),
    {},
    'The header must have at most 500 columns',
  ],
])('%s gets a clear error', async (_, body, headers, error) => {
  await expectFailed(await imports.send(caller, body, { headers }), 400, error);
});

test('the connection of a refused upload can be used again', async () => {
  const refused = await imports.send(caller, 'name\nAda\n');
  expect(refused.status).toBe(400);
  await imports.started(caller, csvOf(2));
});

test('an empty body is 400', async () => {
  const answer = await imports.send(caller, '');
  expect([answer.status, (answer.body as { error: string }).error]).toEqual([400, 'The body has no rows']);
});
