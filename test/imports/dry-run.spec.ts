import { gzipSync } from 'node:zlib';
import { type ImportLook } from '../../src/imports/upload/first-look.js';
import { ImportLooks } from '../../src/imports/upload/looks.service.js';
import { type ImportWorkerService } from '../../src/imports/work/import-worker.service.js';
import { buildCampaign, buildContact } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer, Calling, NEVER_MS } from '../support/calling.js';
import { CSV, csvOf, ImportClient, NDJSON, numberAt } from './import-client.js';
import { workerOf } from './import-worker.js';

let calling: Calling;
let imports: ImportClient;
let worker: ImportWorkerService;
let caller: Caller;

beforeAll(async () => {
  calling = await Calling.start();
  imports = new ImportClient(calling);
  worker = await workerOf(calling, NEVER_MS);
});
afterAll(() => calling.close());
beforeEach(async () => {
  caller = await buildCaller(calling.db, { default_country: 'US' });
});

async function look(...[body, options]: LookOf): Promise<ImportLook> {
  const query = ['dryRun=true', options?.query].filter(Boolean).join('&');
  const answer = await imports.send(caller, body, { ...options, query });
  if (answer.status !== 200) throw new Error(`not looked at: ${answer.status} ${answer.text}`);
  return answer.body as ImportLook;
}
type LookOf = Parameters<ImportClient['send']> extends [unknown, ...infer Rest] ? Rest : never;

const storedRows = async () => {
  const [row] = await calling.db.query<object[]>(
    `SELECT (SELECT count(*)::integer FROM contacts WHERE team_id = $1) AS contacts,
       (SELECT count(*)::integer FROM imports WHERE team_id = $1) AS imports,
       (SELECT count(*)::integer FROM import_chunks WHERE team_id = $1) AS chunks,
       (SELECT count(*)::integer FROM enrollments WHERE team_id = $1) AS enrollments,
       (SELECT count(*)::integer FROM idempotency_keys WHERE team_id = $1) AS keys`,
    [caller.teamId],
  );
  return row;
};

/** Rows of every kind: new, known, repeated, with a warning, and with four kinds of faults. */
const FILE = [
  'Mobile,name,E-mail,timezone,plan',
  `${numberAt(0)},"Lovelace, Ada",ada@example.com,Europe/London,gold`,
  `(415) 200-0001,Known,,,`,
  `${numberAt(0)},Again,,,silver`,
  `+442079460013,Mavis,mavis,,`,
  `+4315123456,Wien,,,`,
  `12,Short,,,`,
  `${numberAt(3)},Mars,,Mars,`,
  `${numberAt(4)},Wide,,,,x`,
  `${numberAt(5)},"Open"x,,,`,
  '',
].join('\n');

test.each(['upsert', 'create'])('a dry run says what an import with mode=%s then does', async (mode) => {
  await buildContact(calling.db, caller.teamId, { phone_number: numberAt(1) });
  const campaign = await buildCampaign(calling.db, caller.teamId);
  const query = `mode=${mode}&campaignId=${campaign.id}`;
  const before = await storedRows();
  const looked = await look(FILE, { query });
  expect(await storedRows()).toEqual(before);
  const importId = await imports.started(caller, FILE, { query });
  await worker.run(new AbortController().signal);
  const view = await imports.get(caller, importId);
  expect(looked).toMatchObject({
    columns: view.columns,
    rows: view.rows,
    new: view.created,
    failed: view.failed,
    warned: view.warned,
    withoutTimezone: view.withoutTimezone,
    countries: view.countries,
  });
  expect(looked.known + looked.repeated).toBe(view.updated);
  const failed = await imports.results(caller, importId, 'failed=true');
  expect(looked.badRows.map(({ row, error }) => ({ row, error }))).toEqual(
    failed.map(({ row, error }) => ({ row, error })),
  );
  expect(Object.values(looked.failures).reduce((sum, n) => sum + n, 0)).toBe(view.failed);
});

test('the first rows are shown as they would be stored, and bad rows with their cells', async () => {
  await buildContact(calling.db, caller.teamId, { phone_number: numberAt(1) });
  const looked = await look(FILE);
  expect(looked).toMatchObject({ rows: 9, new: 3, known: 1, repeated: 1, failed: 4, warned: 1 });
  expect(looked.firstRows.map(({ row, outcome }) => [row, outcome])).toEqual([
    [1, 'new'],
    [2, 'known'],
    [3, 'repeated'],
    [4, 'new'],
    [5, 'new'],
  ]);
  expect(looked.firstRows[0]).toEqual({
    row: 1,
    outcome: 'new',
    phoneNumber: numberAt(0),
    externalId: null,
    name: 'Lovelace, Ada',
    email: 'ada@example.com',
    companyName: null,
    companyWebsite: null,
    timezone: 'Europe/London',
    customProperties: { plan: 'gold' },
    campaignId: null,
  });
  expect(looked.firstRows[3]).toMatchObject({ email: null, warnings: [{ key: 'email' }] });
  expect(looked.badRows[0]).toMatchObject({ row: 6, cells: ['12', 'Short', '', '', ''] });
});

test('at most 20 rows and 100 bad rows are shown, and long text is cut', async () => {
  const bad = Array.from({ length: 150 }, (_, n) => `{"phoneNumber":"${n}","note":"${'é'.repeat(300)}"}`);
  const good = Array.from({ length: 30 }, (_, n) => `{"phoneNumber":"${numberAt(n)}"}`);
  const looked = await look([...bad, ...good].join('\n'), { type: NDJSON });
  expect(looked).toMatchObject({ columns: null, rows: 180, new: 30, failed: 150 });
  expect([looked.firstRows.length, looked.badRows.length]).toEqual([20, 100]);
  expect(looked.badRows[99]?.line).toHaveLength(201);
});

test('reasons beyond a hundred are counted together', async () => {
  const header = ['phoneNumber', 'name'].join(',');
  const rows = Array.from({ length: 150 }, (_, n) => `${numberAt(n)},x${',y'.repeat(n + 1)}`);
  const { failures } = await look([header, ...rows].join('\n'));
  expect(Object.keys(failures)).toHaveLength(101);
  expect(failures.other).toBe(50);
});

test('a compressed file is read in pieces, and a repeated Idempotency-Key has no effect', async () => {
  const headers = { 'Content-Encoding': 'gzip', 'Idempotency-Key': 'look' };
  expect(await look(gzipSync(csvOf(2_000)), { headers })).toMatchObject({ rows: 2_000, new: 2_000 });
  expect(await look(gzipSync(csvOf(10)), { headers })).toMatchObject({ rows: 10 });
  expect(await storedRows()).toEqual({ contacts: 0, imports: 0, chunks: 0, enrollments: 0, keys: 0 });
});

test.each([
  ['dryRun=yes', csvOf(1), CSV, 400, 'dryRun must be true or false'],
  ['dryRun=true&hold=true', csvOf(1), CSV, 400, 'hold needs an import, and dryRun stores none'],
  ['dryRun=true', 'a,b\n1,2\n', CSV, 400, 'The header must have the column phoneNumber'],
  ['dryRun=true', 'phoneNumber\n', CSV, 400, 'The body has no rows'],
  ['dryRun=true', 'phoneNumber,name', CSV, 400, 'The body has no line breaks'],
  ['dryRun=true', csvOf(1), 'application/json', 415, 'Content-Type must be'],
  ['dryRun=true&map=a:name', '{}', NDJSON, 400, 'map is only for CSV'],
  ['dryRun=true&campaignId=00000000-0000-4000-8000-000000000000', csvOf(1), CSV, 404, 'Campaign not found'],
])('?%s of a file at fault is refused, and leaves nothing', async (query, body, type, status, message) => {
  const answer = await imports.send(caller, body, { query, type });
  expect([answer.status, (answer.body as { error: string }).error]).toEqual([
    status,
    expect.stringContaining(message),
  ]);
  expect(answer.body).not.toHaveProperty('importId');
  expect(await imports.list(caller)).toEqual([]);
});

test('dry runs of a team take turns, and wait for no other team', async () => {
  const looks = calling.api.get(ImportLooks, { strict: false });
  const other = await buildCaller(calling.db);
  const formats = { format: 'csv', isCompressed: false } as const;
  const options = {
    type: 'contacts',
    mode: 'upsert',
    campaignId: null,
    version: 'current',
    overrides: [],
    isStrict: false,
    isDryRun: true,
    isHeld: false,
    isGuessed: false,
  } as const;
  const order: string[] = [];
  const lookAt = async (name: string, teamId: string, before: Promise<void>) => {
    async function* pieces() {
      order.push(`${name} begins`);
      await before;
      yield Buffer.from(csvOf(3));
    }
    const { rows } = await looks.look(teamId, { ...options, overrides: [] }, formats, pieces());
    order.push(`${name} ends`);
    return rows;
  };
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const now = Promise.resolve();
  const first = lookAt('first', caller.teamId, held);
  const second = lookAt('second', caller.teamId, now);
  expect(await lookAt('another', other.teamId, now)).toBe(3);
  release();
  expect(await Promise.all([first, second])).toEqual([3, 3]);
  const ofTeam = order.filter((what) => !what.startsWith('another'));
  expect(ofTeam).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  expect(order.indexOf('another ends')).toBeLessThan(order.indexOf('first ends'));
});

test('a team sees none of the contacts of another team', async () => {
  const other = await buildCaller(calling.db);
  await buildContact(calling.db, other.teamId, { phone_number: numberAt(0) });
  expect(await look(csvOf(1))).toMatchObject({ new: 1, known: 0 });
  const answer = await calling
    .http()
    .post('/api/imports?dryRun=true')
    .set({ ...bearer('wrong'), 'Content-Type': CSV })
    .send(csvOf(1));
  expect(answer.status).toBe(401);
});

test('a row whose external id is of another contact would fail, with the error of the import', async () => {
  const holder = await buildContact(calling.db, caller.teamId, {
    phone_number: numberAt(0),
    external_id: 'crm-0',
  });
  const file = `phoneNumber,externalId\n${numberAt(1)},crm-0\n${numberAt(0)},crm-0\n${numberAt(2)},crm-2\n`;
  const error = `externalId belongs to contact ${holder.id}, which has another phone number`;
  const looked = await look(file);
  expect(looked).toMatchObject({ new: 1, known: 1, failed: 1, failures: { [error]: 1 } });
  const importId = await imports.started(caller, file);
  await worker.run(new AbortController().signal);
  expect(await imports.get(caller, importId)).toMatchObject({ created: 1, updated: 1, failed: 1 });
  expect((await imports.results(caller, importId))[0]).toMatchObject({ error });
});
