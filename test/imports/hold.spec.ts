import { type INestApplicationContext } from '@nestjs/common';
import { ImportWorkerService } from '../../src/imports/work/import-worker.service.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { Calling, NEVER_MS } from '../support/calling.js';
import { moveClock } from '../support/clock.js';
import { csvOf, ImportClient } from './import-client.js';

let calling: Calling;
let imports: ImportClient;
let worker: INestApplicationContext;
let caller: Caller;

beforeAll(async () => {
  calling = await Calling.start();
  imports = new ImportClient(calling);
  worker = await calling.startWorker({ sweeperIntervalMs: NEVER_MS });
});
afterAll(() => calling.close());
beforeEach(async () => {
  caller = await buildCaller(calling.db);
});
afterEach(() => moveClock(calling.db, '0 seconds'));

const { signal } = new AbortController();
const work = () => worker.get(ImportWorkerService, { strict: false }).run(signal);
const clean = () => worker.get(ImportWorkerService, { strict: false }).clean(signal);
const held = (rows = 3, headers = {}) =>
  imports.started(caller, csvOf(rows), { query: 'hold=true', headers });
const leftOf = async (importId: string) => {
  const [row] = await calling.db.query<object[]>(
    `SELECT (SELECT count(*)::integer FROM imports WHERE id = $1) AS imports,
       (SELECT count(*)::integer FROM import_chunks WHERE import_id = $1) AS chunks`,
    [importId],
  );
  return row;
};

test('no row is processed before the import is started', async () => {
  const importId = await held();
  await work();
  expect(await imports.get(caller, importId)).toMatchObject({
    status: 'held',
    rows: 3,
    created: 0,
    columns: [{ header: 'phoneNumber' }, { header: 'name' }],
  });
  expect((await imports.list(caller, 'status=held')).map((one) => one.importId)).toEqual([importId]);
  const started = await imports.start(caller, importId);
  expect([started.status, started.body]).toMatchObject([200, { importId, status: 'running' }]);
  await work();
  expect(await imports.get(caller, importId)).toMatchObject({ status: 'finished', created: 3 });
  const again = await imports.start(caller, importId);
  expect([again.status, again.body]).toMatchObject([
    409,
    { error: 'The import is finished, and only one that is held can be started' },
  ]);
});

test('an import that is not started is gone after an hour', async () => {
  const [importId, other] = [await held(), await held()];
  await moveClock(calling.db, '59 minutes');
  await clean();
  expect((await imports.start(caller, other)).status).toBe(200);
  await moveClock(calling.db, '61 minutes');
  expect(await imports.list(caller, 'status=held')).toEqual([]);
  for (const answer of [await imports.start(caller, importId), await imports.cancel(caller, importId)])
    expect([answer.status, answer.body]).toMatchObject([404, { error: 'Import not found' }]);
  expect(await leftOf(importId)).toEqual({ imports: 1, chunks: 1 });
  await clean();
  expect(await leftOf(importId)).toEqual({ imports: 0, chunks: 0 });
  expect((await imports.get(caller, other)).status).toBe('running');
});

test('a held import is canceled, counts among those that are not finished, and is of its team', async () => {
  const importId = await held();
  for (let n = 1; n < 10; n += 1) await held();
  expect((await imports.send(caller, csvOf(1))).body).toMatchObject({
    error: 'The team has 10 imports that are not finished',
  });
  const stranger = await buildCaller(calling.db);
  expect((await imports.start(stranger, importId)).status).toBe(404);
  expect((await imports.undo(caller, importId)).body).toMatchObject({
    error: 'The import is not started; cancel it instead',
  });
  expect((await imports.cancel(caller, importId)).body).toMatchObject({ status: 'canceled' });
  expect((await imports.start(caller, importId)).status).toBe(409);
  await imports.started(caller, csvOf(1));
  // Imports that are gone do not count.
  await moveClock(calling.db, '2 hours');
  for (let n = 0; n < 9; n += 1) await imports.started(caller, csvOf(1));
  expect((await imports.send(caller, csvOf(1))).status).toBe(409);
});

test('a repeated Idempotency-Key returns the held import, and refuses one that is not held', async () => {
  const headers = { 'Idempotency-Key': 'held' };
  const importId = await held(3, headers);
  expect(await held(3, headers)).toBe(importId);
  expect((await imports.send(caller, csvOf(3), { headers })).status).toBe(422);
});
