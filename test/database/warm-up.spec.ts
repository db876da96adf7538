import { Client } from 'pg';
import { PooledTransactions } from '../../src/database/pooled-transactions.js';
import { query, type Statement } from '../../src/database/transactions.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

const SIZE = 3;
const ADD: Statement = { name: 'add', text: 'INSERT INTO notes (id) VALUES ($1)' };
const ECHO: Statement = { name: 'echo', text: 'SELECT $1::integer AS n' };
const PID: Statement = { name: 'pid', text: 'SELECT pg_backend_pid() AS pid' };
const NONSENSE: Statement = { name: 'nonsense', text: 'SELECT nothing FROM nowhere' };

let database: TestDatabase;
let admin: Client;
let transactions: PooledTransactions;

beforeAll(async () => {
  database = await createTestDatabase();
  admin = new Client({ connectionString: database.url });
  await admin.connect();
  await admin.query('CREATE TABLE notes (id integer PRIMARY KEY)');
});
afterAll(async () => {
  await admin.end();
  await database.drop();
});
beforeEach(() => {
  const onError = () => undefined;
  transactions = new PooledTransactions({ databaseUrl: database.url, poolSize: SIZE, onError });
});
afterEach(() => transactions.close());

test('opens every connection, and leaves no transaction open', async () => {
  await transactions.warmUp([query(ADD, 1), query(ECHO, 1)]);
  const { rows: opened } = await admin.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  const reads = Array.from({ length: SIZE }, () => transactions.read<{ pid: number }>(query(PID)));
  const used = (await Promise.all(reads)).map(([row]) => row?.pid);
  expect(new Set(used).size).toBe(SIZE);
  for (const pid of used) expect(opened.map((row) => row.pid)).toContain(pid);
  const { rows: left } = await admin.query('SELECT FROM notes');
  expect(left).toEqual([]);
});

test('fails if its statements fail, and the connections stay usable', async () => {
  await expect(transactions.warmUp([query(NONSENSE)])).rejects.toThrow('nowhere');
  expect(await transactions.read(query(ECHO, 1))).toEqual([{ n: 1 }]);
});
