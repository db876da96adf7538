import { DataSource } from 'typeorm';
import { hashOfToken } from '../../src/people/secret-token.js';
import { welcomeLink } from '../../tools/stack/welcome.js';
import { insertRow } from '../support/builders.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let db: DataSource;

beforeAll(async () => {
  database = await createTestDatabase();
  db = await new DataSource({ type: 'postgres', url: database.url }).initialize();
});
afterAll(async () => {
  await db?.destroy();
  await database?.drop();
});

const hashes = async () =>
  (await db.query<{ token_hash: Buffer }[]>('SELECT token_hash FROM access_links')).map(
    (row) => row.token_hash,
  );

test('the link of the first operator is made anew at each start, and not in production or beside an operator', async () => {
  const env = { DATABASE_URL: database.url, PORT: '3000' };
  expect(await welcomeLink({ ...env, NODE_ENV: 'production' })).toBeNull();
  expect(await hashes()).toEqual([]);
  await welcomeLink(env);
  const link = (await welcomeLink(env)) ?? '';
  const [, token = ''] = /^http:\/\/127\.0\.0\.1:3000\/welcome\/([\w-]{43})$/.exec(link) ?? [];
  expect(await hashes()).toEqual([hashOfToken(token)]);
  const at = await welcomeLink({ ...env, PUBLIC_URL: 'https://outdial.example.com' });
  expect(at).toMatch(/^https:\/\/outdial\.example\.com\/welcome\//);
  await insertRow(db, 'users', { email: 'ops@example.com', operator: true });
  expect(await welcomeLink(env)).toBeNull();
});
