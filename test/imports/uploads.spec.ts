import { gzipSync } from 'node:zlib';
import { buildCampaign, buildVersion } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer, Calling } from '../support/calling.js';
import { moveClock } from '../support/clock.js';
import { eventually } from '../support/eventually.js';
import { SlowClient } from '../support/slow-client.js';
import { CSV, csvOf, ImportClient, NDJSON, numberAt } from './import-client.js';

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

const stagedRows = async (importId: string) =>
  (
    await calling.db.query<{ data: string; first_row: number }[]>(
      'SELECT first_row, data FROM import_chunks WHERE import_id = $1 ORDER BY first_row',
      [importId],
    )
  ).flatMap(({ data }) => JSON.parse(data) as unknown[]);

describe('an upload', () => {
  test('is stored in chunks and waits for the worker', async () => {
    const importId = await imports.started(caller, csvOf(600));
    expect(await imports.get(caller, importId)).toMatchObject({
      importId,
      status: 'running',
      mode: 'upsert',
      rows: 600,
      created: 0,
      updated: 0,
      enrolled: 0,
      failed: 0,
      error: null,
      campaignId: null,
      finishedAt: null,
    });
    const rows = await stagedRows(importId);
    expect(rows).toHaveLength(600);
    expect(rows[599]).toEqual([numberAt(599), 'Name 599']);
    expect(await imports.results(caller, importId)).toEqual([]);
  });

  test('fills chunks by bytes, not by characters', async () => {
    const name = 'あ'.repeat(30_000);
    const importId = await imports.started(caller, csvOf(4).replaceAll('Name', name));
    const chunks = await calling.db.query<{ first_row: number }[]>(
      'SELECT first_row FROM import_chunks WHERE import_id = $1 ORDER BY first_row',
      [importId],
    );
    expect(chunks.map(({ first_row: row }) => row)).toEqual([1, 4]);
  });

  test.each([
    ['gzip', { headers: { 'Content-Encoding': 'gzip' } }, gzipSync(csvOf(3))],
    ['a byte order mark and Windows line ends', {}, `\uFEFF${csvOf(3).replaceAll('\n', '\r\n')}`],
    ['quotation marks', {}, csvOf(3).replaceAll(/Name (\d)/g, '"Name $1"')],
    ['empty lines', {}, csvOf(3).replaceAll('\n', '\n\n')],
    ['no line end', {}, csvOf(3).trimEnd()],
  ])('may have %s', async (_, options, body) => {
    const importId = await imports.started(caller, body, options);
    expect(await stagedRows(importId)).toEqual([0, 1, 2].map((n) => [numberAt(n), `Name ${n}`]));
  });

  test('may be NDJSON, whose lines are kept as they are', async () => {
    const lines = ['{"phoneNumber":"+14155552671","a":1.50}', '', '{"phoneNumber":', '{"é":"ü"}\r'];
    const importId = await imports.started(caller, lines.join('\n'), { type: NDJSON });
    const kept = lines.map((line) => line.trim()).filter((line) => line !== '');
    expect(await stagedRows(importId)).toEqual(kept);
  });

  test('resolves the campaign’s version when it begins', async () => {
    const { id, current_version_id: current } = await buildCampaign(calling.db, caller.teamId);
    const draft = await buildVersion(calling.db, caller.teamId, id);
    for (const [version, versionId] of [
      ['', current],
      ['&version=current', current],
      ['&version=draft', draft.id],
      [`&version=${draft.id}`, draft.id],
    ]) {
      const importId = await imports.started(caller, csvOf(1), { query: `campaignId=${id}${version}` });
      expect(await imports.get(caller, importId)).toMatchObject({ campaignId: id, versionId });
    }
    const refused = (query: string) => imports.send(caller, csvOf(1), { query });
    const stranger = await buildCampaign(calling.db, (await buildCaller(calling.db)).teamId);
    expect((await refused(`campaignId=${stranger.id}`)).status).toBe(404);
    expect((await refused(`campaignId=${id}&version=${stranger.current_version_id}`)).status).toBe(404);
    const archived = await buildCampaign(calling.db, caller.teamId, { status: 'archived' });
    const gone = await refused(`campaignId=${archived.id}`);
    expect([gone.status, gone.body]).toEqual([422, { error: 'The campaign is archived' }]);
    expect(await imports.list(caller)).toHaveLength(4);
  });

  test('a repeated Idempotency-Key returns the first import, and refuses other bytes', async () => {
    const headers = { 'Idempotency-Key': 'march' };
    const importId = await imports.started(caller, csvOf(300), { headers });
    const again = await imports.send(caller, csvOf(300), { headers });
    expect([again.status, again.body, again.headers['idempotency-replayed']]).toMatchObject([
      202,
      { importId, columns: [{ header: 'phoneNumber' }, { header: 'name' }] },
      'true',
    ]);
    expect((await imports.send(caller, csvOf(299), { headers })).status).toBe(422);
    expect((await imports.send(caller, csvOf(300), { headers, query: 'mode=create' })).status).toBe(422);
    expect(await imports.list(caller)).toHaveLength(1);
  });

  test('is refused beside another one of the team, and when ten are not finished', async () => {
    const { port } = calling.api.getHttpServer().address() as { port: number };
    const slow = await SlowClient.to(port);
    slow.open('POST', '/api/imports', {
      ...bearer(caller.apiKey),
      'Content-Type': CSV,
      'Content-Length': 1000,
    });
    slow.socket.write('phoneNumber\n');
    await eventually(
      () => imports.list(caller, 'status=staging'),
      (found) => found.length === 1,
    );
    const refused = await imports.send(caller, csvOf(1));
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { error: 'Another import of the team is being uploaded' },
    ]);
    await imports.started(await buildCaller(calling.db), csvOf(1));
    slow.close();
    const [failed] = await eventually(
      () => imports.list(caller, 'status=failed'),
      (found) => found.length === 1,
    );
    expect(failed).toMatchObject({ rows: 0, error: 'The client ended the upload before its end' });
    for (let n = 0; n < 10; n += 1) await imports.started(caller, csvOf(1));
    expect((await imports.send(caller, csvOf(1))).body).toMatchObject({
      error: 'The team has 10 imports that are not finished',
    });
  });

  test('that a stopped process left blocks no other upload after a minute', async () => {
    await calling.db.query(
      `INSERT INTO imports (team_id, status, mode, created_at, leased_until)
       VALUES ($1, 'staging', 'upsert', now(), outdial_now() + interval '1 minute')`,
      [caller.teamId],
    );
    expect((await imports.send(caller, csvOf(1))).status).toBe(409);
    await moveClock(calling.db, '2 minutes');
    await imports.started(caller, csvOf(1));
    await moveClock(calling.db, '0 seconds');
    expect((await imports.list(caller, 'status=failed'))[0]?.error).toBe('The upload was interrupted');
  });

  test('that is canceled meanwhile ends with 409', async () => {
    const { port } = calling.api.getHttpServer().address() as { port: number };
    const slow = await SlowClient.to(port);
    const head = { ...bearer(caller.apiKey), 'Content-Type': CSV, 'Content-Length': csvOf(300).length };
    slow.open('POST', '/api/imports', head);
    slow.socket.write(csvOf(300).slice(0, 100));
    const [staging] = await eventually(
      () => imports.list(caller, 'status=staging'),
      (found) => found.length === 1,
    );
    const importId = String(staging?.importId);
    expect((await imports.cancel(caller, importId)).body).toMatchObject({ status: 'canceled' });
    slow.socket.write(csvOf(300).slice(100));
    expect(await slow.status()).toBe(409);
    expect((await imports.get(caller, importId)).status).toBe('canceled');
    expect((await imports.cancel(caller, importId)).status).toBe(409);
    slow.close();
  });
});

test.each([
  ['mode=replace', 'mode must be one of create, upsert'],
  ['campaignId=x&version=y', 'campaignId must be a UUID; version must be current, draft or the id'],
  ['version=draft', 'version needs a campaignId'],
  ['source=crm', 'source is not a parameter of imports'],
  ['strict=yes', 'strict must be true or false'],
  ['map=Phone', 'map must be the name of a column, a colon, and what the column is'],
  ['map=Phone:number', 'map must end with one of phoneNumber, externalId, name'],
])('?%s is 400 and leaves no import', async (query, message) => {
  const answer = await imports.send(caller, csvOf(1), { query });
  expect(answer.status).toBe(400);
  expect((answer.body as { error: string }).error).toContain(message);
  expect(await imports.list(caller)).toEqual([]);
});

test.each([
  ['application/json', {}, 'Content-Type must be text/csv or application/x-ndjson'],
  [
    'text/csv; charset=iso-8859-1',
    {},
    'The charset of the body must be UTF-8, or UTF-16 with a byte order mark',
  ],
  [CSV, { 'Content-Encoding': 'br' }, 'Content-Encoding must be gzip, or none'],
])('%s with %j is 415', async (type, headers, message) => {
  const answer = await imports.send(caller, csvOf(1), { type, headers });
  expect([answer.status, answer.body]).toMatchObject([415, { error: message }]);
});

test('imports of another team, and unknown ones, are not found; no key, no import', async () => {
  const importId = await imports.started(caller, csvOf(1));
  const stranger = await buildCaller(calling.db);
  expect(await imports.list(stranger)).toEqual([]);
  for (const id of [importId, 'x', '00000000-0000-4000-8000-000000000000']) {
    for (const path of ['', '/results']) {
      const answer = await calling.http().get(`/api/imports/${id}${path}`).set(bearer(stranger.apiKey));
      expect([answer.status, answer.body]).toMatchObject([404, { error: 'Import not found' }]);
    }
    expect((await imports.cancel(stranger, id)).status).toBe(404);
  }
  expect((await imports.send({ apiKey: 'wrong' }, csvOf(1))).status).toBe(401);
  expect((await imports.get(caller, importId)).status).toBe('running');
});
