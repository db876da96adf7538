import { type DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/data-source.js';
import { buildContact, buildImport, buildTeam, insertRow } from '../support/builders.js';
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
  const unknown = '00000000-0000-4000-8000-000000000000';
  expect(await cli.run(...on('webhook', 'retry', unknown))).toMatchObject({
    code: 1,
    told: 'Webhook delivery not found.',
  });
});
