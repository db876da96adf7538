import { Client } from 'pg';
import { migrate } from '../../src/database/migrate.js';
import { ensureRoles } from '../../tools/services/roles.js';
import { createEmptyDatabase, type TestDatabase } from '../support/database.js';

// The roles are the whole server's. No other test uses these two.

let database: TestDatabase;

beforeAll(async () => {
  database = await createEmptyDatabase();
});
afterAll(() => database.drop());

async function ask<T>(url: string, sql: string): Promise<T[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as T[];
  } finally {
    await client.end();
  }
}

const SUPERUSER = 'SELECT rolsuper AS super, rolname AS name FROM pg_roles WHERE rolname = current_user';
const OWNERS = `SELECT DISTINCT relowner::regrole::text AS owner FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'S')`;

test('npm start logs in to Postgres with roles that are no superusers, also with an older data directory', async () => {
  const password = decodeURIComponent(new URL(database.url).password);
  if (password === '') throw new Error('The server of the tests has no password');
  // Tables of a version that connected as the superuser.
  await ask(
    database.url,
    'CREATE TABLE older (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, n serial)',
  );
  for (let start = 0; start < 2; start += 1) {
    const urls = await ensureRoles(database.url);
    await migrate(urls.databaseOperatorUrl);
    expect(await ask(urls.databaseUrl, SUPERUSER)).toEqual([{ super: false, name: 'outdial_login' }]);
    expect(await ask(urls.databaseOperatorUrl, SUPERUSER)).toEqual([{ super: false, name: 'outdial_owner' }]);
    expect(await ask(database.url, OWNERS)).toEqual([{ owner: 'outdial_owner' }]);
    await expect(ask(urls.databaseUrl, 'SELECT * FROM teams')).rejects.toThrow('permission denied');
    const acts = `SELECT pg_has_role('outdial_app', 'SET') AS may`;
    expect(await ask(urls.databaseUrl, acts)).toEqual([{ may: true }]);
    expect(await ask(urls.databaseOperatorUrl, 'SELECT * FROM older')).toEqual([]);
  }
});
