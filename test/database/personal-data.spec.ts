import { type DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/data-source.js';
import { IMPERSONAL_TABLES, PERSONAL_TABLES } from '../../src/personal-data.js';
import { RETAINED_TABLES } from '../../src/telemetry/metrics.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let db: DataSource;

beforeEach(async () => {
  database = await createTestDatabase();
  db = await createDataSource(database.url).initialize();
});
afterEach(async () => {
  await db.destroy();
  await database.drop();
});

/** Partitions hold what their table does. */
const TABLES = `
  SELECT c.relname AS name FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  ORDER BY 1`;

/** Columns that can hold what a person said or is called. */
const FREE_COLUMNS = `
  SELECT column_name AS name FROM information_schema.columns
  WHERE table_schema = 'public' AND table_name = $1 AND data_type IN ('text', 'character varying', 'json', 'jsonb', 'bytea', 'ARRAY', 'USER-DEFINED')
  ORDER BY 1`;

const namesOf = async (sql: string, ...values: string[]) =>
  (await db.query<{ name: string }[]>(sql, values)).map(({ name }) => name);

/** What a migration added and the register does not know, and the other way round. */
async function gaps(): Promise<string[]> {
  const tables = await namesOf(TABLES);
  const registered = [...PERSONAL_TABLES, ...IMPERSONAL_TABLES].map(({ table }) => table);
  const found = [
    ...tables.filter((table) => !registered.includes(table)).map((table) => `not registered: ${table}`),
    ...registered.filter((table) => !tables.includes(table)).map((table) => `no such table: ${table}`),
  ];
  for (const { table, personal, facts } of PERSONAL_TABLES) {
    const known = [...personal, ...facts];
    const columns = await namesOf(FREE_COLUMNS, table);
    const all = await namesOf(
      `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1`,
      table,
    );
    found.push(
      ...columns.filter((name) => !known.includes(name)).map((name) => `not registered: ${table}.${name}`),
      ...known.filter((name) => !all.includes(name)).map((name) => `no such column: ${table}.${name}`),
    );
  }
  return found;
}

test('every table is registered once, with personal data or with the reason why it holds none', async () => {
  expect(await gaps()).toEqual([]);
  const registered = [...PERSONAL_TABLES, ...IMPERSONAL_TABLES].map(({ table }) => table);
  expect(registered).toEqual([...new Set(registered)]);
});

test('every table with personal data registers how it is erased and how long it stays', () => {
  expect(PERSONAL_TABLES.filter(({ erase }) => erase.length === 0)).toEqual([]);
  expect(PERSONAL_TABLES.filter(({ personal }) => personal.length === 0)).toEqual([]);
  expect(IMPERSONAL_TABLES.filter(({ holds }) => holds === '')).toEqual([]);
});

test('a table that is not registered is reported', async () => {
  await db.query('CREATE TABLE voice_mails (id uuid PRIMARY KEY, spoken text)');
  expect(await gaps()).toEqual(['not registered: voice_mails']);
});

test('a column of a registered table that is not registered is reported', async () => {
  await db.query('ALTER TABLE contacts ADD COLUMN nickname text');
  await db.query(`ALTER TABLE call_requests ADD COLUMN answers jsonb, ADD COLUMN rings integer`);
  expect(await gaps()).toEqual([
    'not registered: call_requests.answers',
    'not registered: contacts.nickname',
  ]);
});

test('a registered table that does not exist is reported', async () => {
  await db.query('DROP TABLE whitelist');
  expect(await gaps()).toContain('no such table: whitelist');
});

test('the sweeper removes each table that is registered with a duration, and its age is measured', () => {
  const registered = PERSONAL_TABLES.filter(({ retention }) =>
    ['calls', 'events', 'day'].includes(retention),
  );
  expect(registered.map(({ table }) => table).sort()).toEqual([...RETAINED_TABLES].sort());
});
