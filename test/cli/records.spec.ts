import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/data-source.js';
import { buildCampaign, buildContact, buildImport, buildTeam, insertRow } from '../support/builders.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { CliTerminal } from './terminal.js';

let database: TestDatabase;
let db: DataSource;
let cli: CliTerminal;
let teamId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  db = await createDataSource(database.url).initialize();
  cli = new CliTerminal(database);
  ({ id: teamId } = await buildTeam(db, { name: 'Clinics' }));
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const on = (...words: string[]) => [...words, '--team', 'clinics'];

test('contacts are listed, and found by their number', async () => {
  const { id, phone_number: number } = await buildContact(db, teamId, { name: 'Ada' });
  await buildContact(db, teamId);
  expect(await cli.json(...on('contact', 'list'))).toMatchObject({ items: [{}, {}] });
  const found = on('contact', 'list', '--phone-number', number);
  expect(await cli.json(...found)).toMatchObject({ items: [{ contactId: id, name: 'Ada' }] });
  expect((await cli.run(...found)).out).toContain('Ada');
});

describe('an export', () => {
  let directory: string;
  beforeAll(async () => (directory = await mkdtemp(join(tmpdir(), 'outdial-export-'))));
  afterAll(() => rm(directory, { recursive: true }));

  test('of contacts is the file that the API sends, and only its owner may read it', async () => {
    const { phone_number: number } = await buildContact(db, teamId, { name: '=Bea, "B"' });
    const file = join(directory, 'contacts.csv');
    const said = await cli.run(...on('contact', 'export', file, '--phone-number', number, '--bom'));
    expect(said).toMatchObject({ code: 0, out: `1 contact in ${file}.` });
    const text = await readFile(file, 'utf8');
    expect(text).toMatch(/^\uFEFF\S*phoneNumber,/);
    expect(text.split('\r\n')).toHaveLength(3);
    expect(text).toContain(`"'=Bea, ""B"""`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test('goes on over pages, and does not replace a file', async () => {
    const { id: other } = await buildTeam(db);
    for (let n = 0; n < 201; n += 1) await buildContact(db, other);
    const file = join(directory, 'contacts.ndjson');
    const words = ['contact', 'export', file, '--team', other];
    expect(await cli.json(...words)).toEqual({ file, rows: 201 });
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    expect(new Set(lines.map((line) => (JSON.parse(line) as { contactId: string }).contactId)).size).toBe(
      201,
    );
    expect(await cli.run(...words)).toMatchObject({
      code: 2,
      told: expect.stringContaining(`${file} exists already`) as string,
    });
  });

  test('of calls takes the filters of their list', async () => {
    const file = join(directory, 'calls.csv');
    expect(await cli.json(...on('call', 'export', file, '--status', 'scheduled'))).toEqual({ file, rows: 0 });
    expect(await readFile(file, 'utf8')).toMatch(/^callRequestId,\S+\r\n$/);
    const bad = await cli.run(...on('call', 'export', join(directory, 'bad.csv'), '--status', 'none'));
    expect(bad.code).toBe(2);
    expect(bad.told).toContain('status');
  });

  test('of the results of a campaign, which its name names, has the chosen properties', async () => {
    await buildCampaign(db, teamId, { name: 'Spring' });
    const file = join(directory, 'results.csv');
    const words = on('campaign', 'results', 'spring', file, '--properties', 'plan');
    expect(await cli.json(...words)).toEqual({ file, rows: 0 });
    expect(await readFile(file, 'utf8')).toMatch(/^enrollmentId,\S+,plan\r\n$/);
  });
});

test('imports are listed and shown', async () => {
  const { id } = await buildImport(db, teamId);
  expect(await cli.json(...on('import', 'list'))).toMatchObject({
    items: [{ importId: id }],
  });
  expect(await cli.json(...on('import', 'list', '--status', 'canceled'))).toMatchObject({ items: [] });
  expect(await cli.json(...on('import', 'show', id))).toMatchObject({ importId: id });
  const help = await cli.run('--help');
  expect(help.out).toMatch(/^ +import +Import contacts from a file/m);
  expect(help.out).toMatch(/^ +import list /m);
});

test('webhook endpoints and their deliveries are listed, and a delivery is sent again', async () => {
  const { id: endpoint } = await insertRow<{ id: string }>(db, 'webhook_endpoints', {
    team_id: teamId,
    url: 'https://example.com/hook',
    secret: '',
  });
  expect(await cli.json(...on('webhook', 'list'))).toMatchObject({ items: [{ id: endpoint }] });
  expect(await cli.json(...on('webhook', 'deliveries', endpoint))).toMatchObject({ items: [] });
  const delivery = randomUUID();
  await insertRow(db, 'webhook_deliveries', {
    id: delivery,
    team_id: teamId,
    endpoint_id: endpoint,
    event_id: randomUUID(),
    type: 'webhook.test',
    status: 'failed',
    attempts: 10,
    failures: 10,
    next_at: null,
    created_at: new Date(),
  });
  expect((await cli.run(...on('webhook', 'retry', delivery))).code).toBe(0);
  const [row] = await db.query<object[]>(
    'SELECT status, failures, next_at <= outdial_now() AS due FROM webhook_deliveries WHERE id = $1',
    [delivery],
  );
  expect(row).toEqual({ status: 'pending', failures: 0, due: true });
  expect(await cli.json(...on('webhook', 'deliveries', endpoint))).toMatchObject({
    items: [{ id: delivery, status: 'pending', attempts: 10 }],
  });
  const unknown = '00000000-0000-4000-8000-000000000000';
  expect(await cli.run(...on('webhook', 'retry', unknown))).toMatchObject({
    code: 1,
    told: 'Webhook delivery not found.',
  });
});
