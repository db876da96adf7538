import { createHash, randomBytes } from 'node:crypto';
import { type INestApplicationContext } from '@nestjs/common';
import { ImportWorkerService } from '../../src/imports/work/import-worker.service.js';
import { buildApiKey, buildCampaign, buildContact, buildEnrollment } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer, Calling, NEVER_MS } from '../support/calling.js';
import { CSV, ImportClient, NDJSON, numberAt } from './import-client.js';

let calling: Calling;
let imports: ImportClient;
let worker: INestApplicationContext;
let caller: Caller;

beforeAll(async () => {
  calling = await Calling.start({ erasureKey: 'erasure-key-of-the-tests' });
  imports = new ImportClient(calling);
  worker = await calling.startWorker({ sweeperIntervalMs: NEVER_MS });
  await calling.queue.pause();
});
afterAll(() => calling.close());
beforeEach(async () => {
  caller = await buildCaller(calling.db, { default_country: 'US' });
});

const work = () => worker.get(ImportWorkerService, { strict: false }).run(new AbortController().signal);
const query = 'type=suppressions';

async function imported(file: string, type = CSV, more = '') {
  const importId = await imports.started(caller, file, { query: query + more, type });
  await work();
  return {
    importId,
    view: await imports.get(caller, importId),
    results: await imports.results(caller, importId),
  };
}

const listed = async () => {
  const rows = await calling.db.query<{ phone_number: string }[]>(
    'SELECT phone_number FROM do_not_call WHERE team_id = $1 ORDER BY phone_number',
    [caller.teamId],
  );
  return rows.map(({ phone_number: number }) => number);
};

const BOTH = [numberAt(0), numberAt(1)];

test.each([
  ['the column phoneNumber', `phoneNumber\n${BOTH.join('\n')}\n`, CSV, ''],
  ['a column with a usual name', `id;Mobile\n7;${BOTH[0]}\n8;${BOTH[1]}\n`, CSV, ''],
  ['its only column', `do not call\n(415) 200-0000\n(415) 200-0001\n`, CSV, ''],
  ['no header', `${BOTH.join('\r\n')}\r\n`, CSV, ''],
  ['no header and one row', `${BOTH[0]}`, CSV, ''],
  ['a column that map names', `a,b\n1,${BOTH[0]}\n2,${BOTH[1]}\n`, CSV, '&map=b:phoneNumber'],
  ['lines of JSON', BOTH.map((phoneNumber) => JSON.stringify({ phoneNumber, a: 1 })).join('\n'), NDJSON, ''],
])('a file with %s puts its numbers on the Do Not Call list', async (name, file, type, more) => {
  const { view } = await imported(file, type, more);
  const rows = name === 'no header and one row' ? 1 : 2;
  expect(view).toMatchObject({ type: 'suppressions', status: 'finished', rows, created: rows, failed: 0 });
  expect(await listed()).toEqual(name === 'no header and one row' ? [BOTH[0]] : BOTH);
});

test('rows are numbers that are new, that are on the list, or none; each has a result', async () => {
  await calling
    .http()
    .post('/api/do-not-call')
    .set(bearer(caller.apiKey))
    .send({ phoneNumbers: [numberAt(2)], reason: 'asked' })
    .expect(201);
  const { view, results, importId } = await imported(
    ['phoneNumber', numberAt(0), numberAt(0), numberAt(2), 'no number', '+49 30 901820/21', ''].join('\n'),
  );
  expect(view).toMatchObject({
    rows: 5,
    created: 2,
    updated: 2,
    failed: 1,
    enrolled: 0,
    repeatedNumbers: 0,
    columns: [{ header: 'phoneNumber', field: 'phoneNumber' }],
    undo: null,
  });
  expect(results).toEqual([
    { row: 1 },
    { row: 2 },
    { row: 3 },
    { row: 4, error: 'phoneNumber is not a phone number' },
    { row: 5 },
  ]);
  expect(await listed()).toEqual([numberAt(0), numberAt(2), '+4930901820', '+4930901821']);
  const bad = await calling
    .http()
    .get(`/api/imports/${importId}/results?failed=true&format=csv`)
    .set(bearer(caller.apiKey));
  expect(bad.text).toBe('row,error,phoneNumber\r\n4,phoneNumber is not a phone number,no number\r\n');
  const [reason] = await calling.db.query<object[]>(
    'SELECT reason FROM do_not_call WHERE team_id = $1 AND phone_number = $2',
    [caller.teamId, numberAt(2)],
  );
  expect(reason).toEqual({ reason: 'asked' });
});

test('pending calls and live enrollments of the numbers end, as by a single entry', async () => {
  const campaign = await buildCampaign(calling.db, caller.teamId);
  const contact = await buildContact(calling.db, caller.teamId, { phone_number: numberAt(1) });
  const enrollment = await buildEnrollment(calling.db, {
    team_id: caller.teamId,
    campaign_id: campaign.id,
    contact_id: contact.id,
    version_id: campaign.current_version_id,
  });
  const call = await calling.accepted(caller, { phoneNumber: numberAt(0) });
  const other = await calling.accepted(caller, { phoneNumber: numberAt(900) });
  const rows = Array.from({ length: 400 }, (_, n) => numberAt(n));
  expect((await imported(rows.join('\n'))).view).toMatchObject({ rows: 400, created: 400 });
  expect(await calling.row(call)).toMatchObject({ status: 'blocked', reason: 'DO_NOT_CALL' });
  expect(await calling.row(other)).toMatchObject({ status: 'queued' });
  const [ended] = await calling.db.query<object[]>(
    'SELECT status, end_reason FROM enrollments WHERE id = $1',
    [enrollment.id],
  );
  expect(ended).toEqual({ status: 'exited', end_reason: 'suppressed' });
  const [told] = await calling.db.query<{ n: number }[]>(
    `SELECT count(*)::integer AS n FROM events WHERE team_id = $1 AND type = 'contact.opted_out'`,
    [caller.teamId],
  );
  expect(told?.n).toBe(400);
  const refused = await calling.trigger(caller, { phoneNumber: numberAt(399) });
  expect(refused.body).toMatchObject({ reason: 'DO_NOT_CALL' });
});

test('the key needs the scopes imports and suppressions', async () => {
  const keyWith = async (scopes: string[]) => {
    const apiKey = `od_test_${randomBytes(16).toString('hex')}`;
    const keyHash = createHash('sha256').update(apiKey).digest();
    await buildApiKey(calling.db, caller.teamId, { key_hash: keyHash, scopes });
    return { apiKey };
  };
  const file = `phoneNumber\n${numberAt(0)}\n`;
  const [imports1, suppressions, both] = [
    await keyWith(['imports']),
    await keyWith(['suppressions']),
    await keyWith(['imports', 'suppressions']),
  ];
  for (const [key, scope] of [
    [imports1, 'suppressions'],
    [suppressions, 'imports'],
  ] as const) {
    const answer = await imports.send(key, file, { query });
    expect([answer.status, answer.body]).toMatchObject([
      403,
      { error: `The API key lacks the scope ${scope}` },
    ]);
  }
  expect(await imports.list(caller)).toEqual([]);
  expect((await imports.send(imports1, file)).status).toBe(202);
  expect((await imports.send(both, file, { query })).status).toBe(202);
});

test('an import of suppressions is not undone', async () => {
  const { importId } = await imported(`${numberAt(0)}\n`);
  const answer = await imports.undo(caller, importId);
  expect([answer.status, answer.body]).toMatchObject([
    409,
    { error: 'An import of suppressions cannot be undone' },
  ]);
  expect(await listed()).toEqual([numberAt(0)]);
});

test('it can be held, and a worker of an earlier version takes none', async () => {
  const importId = await imports.started(caller, `${numberAt(0)}\n`, { query: `${query}&hold=true` });
  await work();
  expect(await listed()).toEqual([]);
  expect((await imports.start(caller, importId)).body).toMatchObject({ type: 'suppressions' });
  expect(await calling.db.query(`SELECT * FROM take_import(interval '5 seconds')`)).toEqual([]);
  await work();
  expect(await listed()).toEqual([numberAt(0)]);
});

test('the erasure of a contact does not take its number from a file that waits', async () => {
  const contact = await buildContact(calling.db, caller.teamId, { phone_number: numberAt(0) });
  const importId = await imports.started(caller, `${numberAt(0)}\n`, { query });
  await calling.http().delete(`/api/contacts/${contact.id}`).set(bearer(caller.apiKey)).expect(204);
  await work();
  expect(await imports.get(caller, importId)).toMatchObject({ created: 1, failed: 0 });
  expect(await listed()).toEqual([numberAt(0)]);
  // On the list already, in the erased form.
  const again = await buildContact(calling.db, caller.teamId, { phone_number: numberAt(0) });
  await calling.http().delete(`/api/contacts/${again.id}`).set(bearer(caller.apiKey)).expect(204);
  const [form] = await listed();
  expect(form).toMatch(/^erased:/);
  expect((await imported(`${numberAt(0)}\n`)).view).toMatchObject({ created: 0, updated: 1 });
  expect(await listed()).toEqual([form]);
});

test.each([
  ['type=numbers', 'type must be one of contacts, suppressions'],
  ['type=suppressions&mode=create&strict=true', 'mode is only for imports of contacts; strict is only'],
  ['type=suppressions&dryRun=true', 'dryRun is only for imports of contacts'],
  ['type=suppressions&map=a:name', 'map must end with one of phoneNumber, ignore for suppressions'],
  ['type=suppressions&map=x:phoneNumber', 'The header has no column "x", which map names'],
  ['type=suppressions', 'The header must have the column phoneNumber, or one that is named'],
  ['type=suppressions&map=a:ignore', 'The header must have the column phoneNumber'],
])('?%s is 400', async (asked, message) => {
  const answer = await imports.send(caller, 'a,b\n1,2\n', { query: asked });
  expect([answer.status, (answer.body as { error: string }).error]).toEqual([
    400,
    expect.stringContaining(message),
  ]);
});

test('two columns that may be numbers are refused', async () => {
  const answer = await imports.send(caller, `Phone,Mobile\n1,2\n`, { query });
  expect((answer.body as { error: string }).error).toBe(
    'The columns "Phone" and "Mobile" may both be phoneNumber; choose one, for example with map=Phone:phoneNumber',
  );
});
