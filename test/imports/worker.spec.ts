import { type INestApplicationContext } from '@nestjs/common';
import { ImportWorkerService } from '../../src/imports/work/import-worker.service.js';
import { buildCampaign, buildContact } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer, Calling, NEVER_MS } from '../support/calling.js';
import { moveClock } from '../support/clock.js';
import { csvOf, ImportClient, NDJSON, numberAt } from './import-client.js';

let calling: Calling;
let imports: ImportClient;
let worker: INestApplicationContext;
let caller: Caller;

beforeAll(async () => {
  calling = await Calling.start({ erasureKey: 'erasure-key-of-the-tests' });
  imports = new ImportClient(calling);
  worker = await calling.startWorker({ sweeperIntervalMs: NEVER_MS });
});
afterAll(() => calling.close());
beforeEach(async () => {
  caller = await buildCaller(calling.db, { default_country: 'US' });
});

const { signal } = new AbortController();
const work = () => worker.get(ImportWorkerService, { strict: false }).run(signal);
const clean = () => worker.get(ImportWorkerService, { strict: false }).clean(signal);

/** Uploads and processes a file. */
async function imported(
  ...given: Parameters<ImportClient['started']> extends [unknown, ...infer Rest] ? Rest : never
) {
  const importId = await imports.started(caller, ...given);
  await work();
  return {
    importId,
    view: await imports.get(caller, importId),
    results: await imports.results(caller, importId),
  };
}

const contactsOf = (teamId: string) =>
  calling.db.query<Record<string, unknown>[]>(
    `SELECT id, phone_number, name, email, timezone, custom_properties FROM contacts WHERE team_id = $1 ORDER BY phone_number`,
    [teamId],
  );
const enrollmentsOf = (campaignId: string) =>
  calling.db.query<{ id: string; contact_id: string; version_id: string }[]>(
    'SELECT id, contact_id, version_id FROM enrollments WHERE campaign_id = $1',
    [campaignId],
  );

test('every row becomes a contact and an enrollment, and has a result', async () => {
  const campaign = await buildCampaign(calling.db, caller.teamId);
  const { view, results } = await imported(csvOf(600), { query: `campaignId=${campaign.id}` });
  const counts = { rows: 600, created: 600, updated: 0, enrolled: 600, failed: 0 };
  expect(view).toMatchObject({ status: 'finished', ...counts, error: null });
  expect(view.finishedAt).not.toBeNull();
  const contacts = await contactsOf(caller.teamId);
  const enrollments = new Map((await enrollmentsOf(campaign.id)).map((one) => [one.contact_id, one.id]));
  expect(results).toEqual(
    contacts.map(({ id, phone_number: phoneNumber }, n) => ({
      row: n + 1,
      phoneNumber,
      contactId: id,
      enrollmentId: enrollments.get(String(id)),
    })),
  );
  const left = await calling.db.query<object[]>('SELECT FROM import_chunks');
  expect(left).toHaveLength(0);
  const told = await calling.db.query<{ data: object }[]>(
    `SELECT data FROM events WHERE team_id = $1 AND type = 'import.finished'`,
    [caller.teamId],
  );
  expect(view).toMatchObject(Object(told[0]?.data));
  expect(told).toHaveLength(1);
  const created = await calling.db.query<{ data: { id: string; contact_id: string } }[]>(
    `SELECT data FROM events WHERE team_id = $1 AND type = 'enrollment.created'`,
    [caller.teamId],
  );
  expect(new Map(created.map(({ data }) => [data.contact_id, data.id]))).toEqual(enrollments);
  expect(created).toHaveLength(600);
});

test('columns are the fields of the contract, or properties; an empty cell is not sent', async () => {
  const header = 'phoneNumber,name,email,companyName,companyWebsite,timezone,plan,"shoe size"';
  const { view } = await imported(
    `${header}\n(415) 200-0000,"Lovelace, Ada",ada@example.com,,,Europe/London,gold,"7 ""wide"""\n+14152000001,,,,,,,\n`,
  );
  expect(view).toMatchObject({ created: 2, failed: 0 });
  expect(await contactsOf(caller.teamId)).toMatchObject([
    {
      phone_number: numberAt(0),
      name: 'Lovelace, Ada',
      email: 'ada@example.com',
      timezone: 'Europe/London',
      custom_properties: { plan: 'gold', 'shoe size': '7 "wide"' },
    },
    { phone_number: numberAt(1), name: null, custom_properties: {} },
  ]);
});

test('?map= decides what a column is, for every row', async () => {
  const csv = `Cell,Phone,Company,Label\n${numberAt(1)},+14155559999,Engines,VIP\n${numberAt(2)},,,Ada\n`;
  const query = 'map=Cell:phoneNumber&map=Phone:property&map=Label:name';
  const { view } = await imported(csv, { query });
  expect(view).toMatchObject({ status: 'finished', created: 2, failed: 0 });
  const contacts = await contactsOf(caller.teamId);
  expect(contacts.map((contact) => [contact.phone_number, contact.name, contact.custom_properties])).toEqual([
    [numberAt(1), 'VIP', { Phone: '+14155559999' }],
    [numberAt(2), 'Ada', {}],
  ]);
});

test('a key with the scope imports alone creates and enrolls', async () => {
  const campaign = await buildCampaign(calling.db, caller.teamId);
  const created = await calling
    .operator('post', `/teams/${caller.teamId}/api-keys`)
    .send({ name: 'Files', scopes: ['imports'] })
    .expect(201);
  const { key: apiKey } = created.body as { key: string };
  const importId = await imports.started({ apiKey }, csvOf(3), { query: `campaignId=${campaign.id}` });
  await work();
  expect(await imports.get({ apiKey }, importId)).toMatchObject({
    status: 'finished',
    created: 3,
    enrolled: 3,
  });
});

test('faults of rows are those of the contact endpoint', async () => {
  const bodies = [
    { phoneNumber: '+14152000000', email: 'x', timezone: 'Mars' },
    { name: 'Ada' },
    { phoneNumber: '+14152000000', teamId: '00000000-0000-4000-8000-000000000000' },
    { phoneNumber: '+14152000000', note: 'x'.repeat(66_000) },
    { phoneNumber: '12' },
  ];
  const lines = [
    ...bodies.map((body) => JSON.stringify(body)),
    '{',
    '[1]',
    '{"phoneNumber":"+14152000000","n":1e999}',
  ];
  const { view, results, importId } = await imported(lines.join('\n'), {
    type: NDJSON,
    query: 'strict=true',
  });
  expect(view).toMatchObject({ rows: 8, created: 0, failed: 8, status: 'finished' });
  const answers = await Promise.all(
    bodies.map(async (body) => {
      const answer = await calling.http().post('/api/contacts').set(bearer(caller.apiKey)).send(body);
      return (answer.body as { error: string }).error;
    }),
  );
  const malformed = [
    'The row is not valid JSON',
    'The row must be a JSON object',
    'n is a number that cannot be kept exactly; send it as a string',
  ];
  expect(results.map(({ error }) => error)).toEqual([...answers, ...malformed]);
  expect(await imports.results(caller, importId, 'failed=true')).toEqual(results);
});

test('upsert merges a contact that the team has, and create refuses it', async () => {
  const known = await buildContact(calling.db, caller.teamId, {
    phone_number: numberAt(1),
    name: 'Old',
    email: 'old@example.com',
    custom_properties: { a: 1 },
  });
  const created = await imported(
    'phoneNumber,name,b\n' + [0, 1, 0].map((n) => `${numberAt(n)},New,2\n`).join(''),
    { query: 'mode=create' },
  );
  expect(created.view).toMatchObject({ created: 1, updated: 0, failed: 2 });
  expect(created.results[1]).toEqual({
    row: 2,
    phoneNumber: numberAt(1),
    contactId: known.id,
    error: 'Contact existed',
  });
  expect(created.results[2]).toMatchObject({ row: 3, phoneNumber: numberAt(0), error: 'Contact existed' });
  const merged = await imported(
    'phoneNumber,name,b\n' + [1, 2, 2].map((n) => `${numberAt(n)},Newer,3\n`).join(''),
  );
  expect(merged.view).toMatchObject({ created: 1, updated: 2, failed: 0 });
  expect(await contactsOf(caller.teamId)).toMatchObject([
    { name: 'New', custom_properties: { b: '2' } },
    { name: 'Newer', email: 'old@example.com', custom_properties: { a: 1, b: '3' } },
    { name: 'Newer', custom_properties: { b: '3' } },
  ]);
});

test('a row with more cells than the header is an error, and the others are stored', async () => {
  const { view, results } = await imported(
    `phoneNumber,name\n${numberAt(0)}\n${numberAt(1)},Ada\n${numberAt(2)},Ada,x\n`,
  );
  expect(view).toMatchObject({ rows: 3, created: 2, failed: 1 });
  expect(results.map(({ error }) => error)).toEqual([
    undefined,
    undefined,
    'The row has 3 cells, and the header has 2',
  ]);
});

test('a NUL character is the fault of its row, in a cell, in a row that is no CSV, and in a value of JSON', async () => {
  const rows = [
    `${numberAt(0)},Ada,x`,
    `${numberAt(1)},A\0da,x`,
    `${numberAt(2)}\0,Ada,x`,
    `${numberAt(3)},Ada,"\0"`,
    `${numberAt(4)},"A\0"da,x`,
    `${numberAt(5)},Ada,x,\0`,
    `${numberAt(6)},Ada,x`,
  ];
  const csv = await imported(['phoneNumber,name,note', ...rows, ''].join('\n'));
  expect(csv.view).toMatchObject({ status: 'finished', rows: 7, created: 2, failed: 5 });
  expect(csv.results.map(({ error }) => error)).toEqual([
    undefined,
    'Cell 2 contains a NUL character',
    'Cell 1 contains a NUL character',
    'Cell 3 contains a NUL character',
    'The row is not valid CSV: its quotation marks do not match',
    'The row has 4 cells, and the header has 3',
    undefined,
  ]);
  const failed = await calling
    .http()
    .get(`/api/imports/${csv.importId}/results?failed=true&format=csv`)
    .set(bearer(caller.apiKey))
    .expect(200);
  expect(failed.text.split('\r\n')[1]).toBe(`2,Cell 2 contains a NUL character,${numberAt(1)},A\0da,x`);
  const escaped = String.raw`"A\u0000da"`;
  const lines = [
    `{"phoneNumber":"${numberAt(10)}","name":${escaped}}`,
    `{"phoneNumber":"${numberAt(11)}","note":{"a":[${escaped}]}}`,
    `{"phoneNumber":"${numberAt(12)}",${escaped}:"x"}`,
    `{"phoneNumber":"${numberAt(13)}","name":"A\0da"}`,
    `{"phoneNumber":"${numberAt(14)}"}`,
  ];
  const ndjson = await imported(lines.join('\n'), { type: NDJSON });
  expect(ndjson.view).toMatchObject({ status: 'finished', rows: 5, created: 1, failed: 4 });
  expect(ndjson.results.slice(0, 4).map(({ error }) => error)).toEqual([
    'name contains a character that cannot be stored',
    expect.stringMatching(/^note.* contains a character that cannot be stored$/),
    'The row has a key with a character that cannot be stored',
    'The row is not valid JSON',
  ]);
});

test.each([`${numberAt(1)} ext. 12`, `${numberAt(1)} x12`, `(415) 200-0001;ext=12`, `${numberAt(1)}#12`])(
  'the number %s with an extension fails its row, also where bad e-mail addresses are left out',
  async (phoneNumber) => {
    const { view, results } = await imported(
      `phoneNumber,name,email\n${numberAt(0)},Ada,x\n"${phoneNumber}",Bea,b@example.com\n`,
    );
    expect(view).toMatchObject({ rows: 2, created: 1, failed: 1, warned: 1 });
    expect(results[1]).toEqual({ row: 2, error: 'phoneNumber must not have an extension' });
    expect(await contactsOf(caller.teamId)).toHaveLength(1);
  },
);

test('one row that Postgres refuses does not stop the others', async () => {
  await calling.db.query(`ALTER TABLE contacts ADD CONSTRAINT ck_test CHECK (name <> 'Name 77') NOT VALID`);
  try {
    const { view, results } = await imported(csvOf(300));
    expect(view).toMatchObject({ status: 'finished', created: 299, failed: 1 });
    expect(results[77]).toEqual({ row: 78, error: 'The row could not be stored' });
    expect(results.map(({ row }) => row)).toEqual(results.map((_, n) => n + 1));
  } finally {
    await calling.db.query('ALTER TABLE contacts DROP CONSTRAINT ck_test');
  }
});

test('a canceled import stores no further row, and leaves none of its file', async () => {
  const importId = await imports.started(caller, csvOf(600));
  expect((await imports.cancel(caller, importId)).body).toMatchObject({ status: 'canceled', rows: 600 });
  await work();
  await clean();
  expect(await contactsOf(caller.teamId)).toEqual([]);
  const left = await calling.db.query<object[]>('SELECT FROM import_chunks WHERE import_id = $1', [importId]);
  expect(left).toHaveLength(0);
});

test('teams are served round-robin: a large import is not processed to its end before a small one', async () => {
  const other = await buildCaller(calling.db);
  const large = await imports.started(caller, csvOf(20_000), { query: 'mode=create' });
  const small = await imports.started(other, csvOf(10));
  await work();
  const [first, second] = [await imports.get(other, small), await imports.get(caller, large)];
  expect([first.created, second.created]).toEqual([10, 20_000]);
  expect(Date.parse(String(first.finishedAt))).toBeLessThan(Date.parse(String(second.finishedAt)));
});

test('an erased person is removed from rows that wait', async () => {
  const spelled = ['+1 415-200-0001', '(415) 200-0001', '١٤١٥٢٠٠٠٠٠١'.replace(/^/, '+')];
  const contact = await buildContact(calling.db, caller.teamId, { phone_number: numberAt(1) });
  const importId = await imports.started(
    caller,
    `phoneNumber,name\n${spelled.map((number) => `${number},Zebulon\n`).join('')}${numberAt(2)},Ada\n`,
  );
  await calling.http().delete(`/api/contacts/${contact.id}`).set(bearer(caller.apiKey)).expect(204);
  const [chunk] = await calling.db.query<{ data: string }[]>(
    'SELECT data FROM import_chunks WHERE import_id = $1',
    [importId],
  );
  expect(JSON.parse(String(chunk?.data))).toEqual([null, null, null, [numberAt(2), 'Ada']]);
  await work();
  expect(await imports.get(caller, importId)).toMatchObject({ created: 1, failed: 3 });
  const [first] = await imports.results(caller, importId, 'failed=true');
  expect(first?.error).toBe('The row was removed, because a contact with its number was erased');
});

test('the results of an erased contact show no number', async () => {
  const { results, importId } = await imported(csvOf(1));
  const contactId = String(results[0]?.contactId);
  await calling.http().delete(`/api/contacts/${contactId}`).set(bearer(caller.apiKey)).expect(204);
  expect(await imports.results(caller, importId)).toEqual([{ row: 1, contactId }]);
});

test('an import is kept for a week; one that no worker processes fails after three days', async () => {
  const { importId } = await imported(csvOf(1));
  const left = await imports.started(caller, csvOf(1));
  await moveClock(calling.db, '73 hours');
  await clean();
  expect(await imports.get(caller, left)).toMatchObject({
    status: 'failed',
    error: 'The import was not processed within three days',
  });
  expect(await imports.results(caller, importId)).toHaveLength(1);
  await moveClock(calling.db, '11 days');
  await clean();
  await moveClock(calling.db, '0 seconds');
  expect(await imports.list(caller)).toEqual([]);
});
