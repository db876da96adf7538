import { type DataSource } from 'typeorm';
import { type ConsentResource } from '../../src/consents/consent.dto.js';
import { createDataSource } from '../../src/database/data-source.js';
import { buildTeam } from '../support/builders.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { CliTerminal } from './terminal.js';

let database: TestDatabase;
let db: DataSource;
let cli: CliTerminal;
let team: string;

beforeAll(async () => {
  database = await createTestDatabase();
  db = await createDataSource(database.url).initialize();
  cli = new CliTerminal(database);
  ({ id: team } = await buildTeam(db, { default_country: 'US' }));
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

test('consents are added, listed and revoked', async () => {
  const of = ['--team', team];
  const given = ['--level', 'expressWritten', '--source', 'Letter', '--granted-at', '2026-01-05T10:00:00Z'];
  const added = await cli.json<ConsentResource>('consent', 'add', '415 555 0142', ...given, ...of);
  expect(added).toMatchObject({ phoneNumber: '+14155550142', level: 'expressWritten', status: 'in_force' });
  const listed = await cli.run('consent', 'list', '--phone-number', '+14155550142', ...of);
  expect(listed.out).toContain(added.id);
  const revoked = await cli.json('consent', 'revoke', added.id, ...of);
  expect(revoked).toMatchObject({ id: added.id, status: 'revoked', endReason: null });
  const again = await cli.json(
    'consent',
    'revoke',
    added.id,
    '--at',
    '2026-01-06T10:00:00Z',
    '--reason',
    'x',
    ...of,
  );
  expect(again).toMatchObject({ endedAt: '2026-01-06T10:00:00.000Z', endReason: 'x' });
});

test('a consent that is refused is told as over HTTP', async () => {
  const given = ['--level', 'oral', '--source', 'Letter', '--granted-at', '2026-01-05T10:00:00Z'];
  const refused = await cli.run('consent', 'add', '+14155550143', ...given, '--team', team);
  expect(refused.code).not.toBe(0);
  expect(refused.told).toContain('level');
});
