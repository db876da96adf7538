import { Client } from 'pg';
import { truncate } from '../../tools/bench/truncate.js';
import { createEmptyDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

let database: TestDatabase;
let db: Client;
let watching: Client;
let beside: Client;

beforeAll(async () => {
  database = await createEmptyDatabase();
  // A connection that waits for a lock looks for a deadlock once, after this time. By then there must be one.
  const connect = async () => {
    const client = new Client({ connectionString: database.url, options: '-c deadlock_timeout=2s' });
    await client.connect();
    return client;
  };
  [db, watching, beside] = [await connect(), await connect(), await connect()];
  await db.query('CREATE TABLE first AS SELECT 1 AS n; CREATE TABLE second AS SELECT 1 AS n');
});
afterAll(async () => {
  await Promise.all([db, watching, beside].map((client) => client.end()));
  await database.drop();
});

/** The relations for which a connection waits. */
const awaited = async () => {
  const { rows } = await watching.query<{ name: string }>(
    `SELECT relation::regclass::text AS name FROM pg_locks
     WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  return rows.map(({ name }) => name);
};

test('tables are emptied although Postgres finds a deadlock with a transaction beside it', async () => {
  // This transaction does not look for a deadlock, so that Postgres cancels the other one.
  await beside.query("BEGIN; SET LOCAL deadlock_timeout = '1h'; LOCK TABLE second IN ROW EXCLUSIVE MODE");
  const emptied = truncate(db, ['first', 'second']);
  await eventually(awaited, (names) => names.includes('second'));
  await beside.query('LOCK TABLE first IN ROW EXCLUSIVE MODE');
  await beside.query('COMMIT');
  await emptied;
  const { rows } = await db.query('SELECT n FROM first UNION ALL SELECT n FROM second');
  expect(rows).toEqual([]);
});
