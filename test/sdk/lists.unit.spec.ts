import { ConnectionError } from '../../sdk/src/index.js';
import { answers, collected, cuts, PlayedApi, type Play, rejection } from './played-api.js';

const ID = '0b0f7a0e-6f0a-4a5e-9d2c-1f6a3f0f5b11';

const api = PlayedApi.ofFile();
const page = (ids: number[], nextCursor?: string | null) => answers(200, { items: ids, nextCursor });
const queries = () => api.requests.map(({ path }) => path.split('?')[1]);

test('a list is read page by page, with its filters on each', async () => {
  api.play(page([1, 2], 'a'), page([], 'b'), page([3], null));
  expect(await collected(api.client().calls.list({ status: 'completed', limit: 2 }))).toEqual([1, 2, 3]);
  expect(queries()).toEqual([
    'status=completed&limit=2',
    'status=completed&limit=2&cursor=a',
    'status=completed&limit=2&cursor=b',
  ]);
});

test('a page is requested when it is needed: a loop that ends early requests no more', async () => {
  api.play(page([1, 2], 'a'));
  const list = api.client().contacts.list();
  expect(api.requests).toHaveLength(0);
  for await (const item of list) if ((item as unknown) === 2) break;
  expect(api.requests).toHaveLength(1);
});

test('page by page, and from a cursor; a list without nextCursor is at its end', async () => {
  api.play(page([1], 'b'), page([2]));
  const list = api.client().enrollments.list({ contactId: ID, cursor: 'a' });
  expect(await collected(list.pages())).toEqual([{ items: [1], nextCursor: 'b' }, { items: [2] }]);
  expect(queries()).toEqual([`contactId=${ID}&cursor=a`, `contactId=${ID}&cursor=b`]);
  api.play(page([3], 'd'));
  expect(await list.page()).toEqual({ items: [3], nextCursor: 'd' });
  expect(queries()).toHaveLength(3);
});

test('events are read up to the newest', async () => {
  const events = (items: number[], nextAfter: number) => answers(200, { items, nextAfter });
  api.play(events([4, 5], 5), events([], 9), events([], 9));
  const list = api.client().events.list({ after: 3, types: ['call.ended', 'call.result'] });
  const pages = await collected(list.pages());
  expect(pages.map(({ nextAfter }) => nextAfter)).toEqual([5, 9, 9]);
  expect(queries()).toEqual([3, 5, 9].map((after) => `types=call.ended%2Ccall.result&after=${after}`));
});

/** NDJSON in pieces that end anywhere, also within a character. */
const inPieces =
  (text: string): Play =>
  (response) => {
    const bytes = Buffer.from(text);
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    for (let at = 0; at < bytes.length; at += 3) response.write(bytes.subarray(at, at + 3));
    response.end();
  };

test('lines of NDJSON arrive one by one; the last may have no end', async () => {
  const rows = [{ row: 1, error: 'é — 😀' }, { row: 2 }, { row: 3 }];
  api.play(inPieces(rows.map((row) => JSON.stringify(row)).join('\n')));
  expect(await collected(api.client().imports.results(ID, { failed: true }))).toEqual(rows);
  expect(api.requests[0]).toMatchObject({
    path: `/api/imports/${ID}/results?failed=true`,
    headers: { accept: 'application/x-ndjson' },
  });
});

test('the beginning of a stream is repeated, a stream that breaks is not', async () => {
  api.play(cuts, inPieces('{"row":1}\n'));
  expect(await collected(api.client().imports.results(ID))).toEqual([{ row: 1 }]);
  api.play((response) => {
    response.writeHead(200).write('{"row":1}\n{"ro', () => response.destroy());
  });
  const results = api.client().imports.results(ID);
  expect((await results.next()).value).toEqual({ row: 1 });
  expect(await rejection(results.next())).toBeInstanceOf(ConnectionError);
  expect(api.requests).toHaveLength(3);
});

test('a loop that ends early ends the request of its stream', async () => {
  const left = new Promise<void>((resolve) =>
    api.play((response) => {
      response.on('close', resolve);
      response.writeHead(200).write('{"row":1}\n');
    }),
  );
  for await (const result of api.client().imports.results(ID)) if (result.row === 1) break;
  await left;
});
