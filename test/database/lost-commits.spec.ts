import { Client } from 'pg';
import { CommitUnknownError, isDatabaseUnavailable } from '../../src/database/database-errors.js';
import { PooledTransactions } from '../../src/database/pooled-transactions.js';
import { query, type Statement } from '../../src/database/transactions.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type CommitFate, type PostgresProxy, startPostgresProxy } from '../support/postgres-proxy.js';

let database: TestDatabase;
let admin: Client;
let proxy: PostgresProxy;
let transactions: PooledTransactions;

beforeAll(async () => {
  database = await createTestDatabase();
  admin = new Client({ connectionString: database.url });
  await admin.connect();
  await admin.query('CREATE TABLE notes (id integer PRIMARY KEY)');
  proxy = await startPostgresProxy(database.url);
});
afterAll(async () => {
  await proxy.close();
  await admin.end();
  await database.drop();
});
beforeEach(async () => {
  await admin.query('TRUNCATE notes');
  transactions = new PooledTransactions({ databaseUrl: proxy.url, poolSize: 1, onError: () => undefined });
});
afterEach(() => transactions.close());

const ADD: Statement = { name: 'add', text: 'INSERT INTO notes (id) VALUES ($1)' };
const COUNT: Statement = { name: 'count', text: 'SELECT count(*)::integer AS notes FROM notes' };

const count = () => transactions.read(query(COUNT));
const add = (id: number, value: () => unknown = () => 'committed') =>
  transactions.run([query(COUNT)], () => ({ commit: [query(ADD, id)], value }));

/** How a transaction ends when this becomes of its COMMIT, and what is stored then. */
async function ending(fate: CommitFate): Promise<{ error: unknown; stored: number }> {
  expect(await add(1)).toBe('committed');
  const happened = proxy.nextCommit(fate);
  const value = jest.fn();
  const error: unknown = await add(2, value).catch((thrown: unknown) => thrown);
  await happened;
  expect(value).not.toHaveBeenCalled();
  expect(await add(3)).toBe('committed');
  const { rows } = await admin.query<{ notes: number }>(COUNT.text);
  return { error, stored: rows[0]?.notes ?? 0 };
}

describe('a COMMIT without an answer counts neither as a commit nor as a rollback', () => {
  test.each<[CommitFate, number]>([
    ['lost', 2],
    ['answer lost', 3],
  ])('%s, the connection gone', async (fate, storedThen) => {
    const { error, stored } = await ending(fate);
    expect(error).toBeInstanceOf(CommitUnknownError);
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(stored).toBe(storedThen);
  });

  // Takes as long as the driver waits for an answer.
  test('an unanswered COMMIT while the connection is open', async () => {
    const { error, stored } = await ending('unanswered');
    expect(error).toBeInstanceOf(CommitUnknownError);
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(stored).toBe(3);
  });

  test('a COMMIT during which Postgres ends the connection', async () => {
    await admin.query(
      `CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(30); RETURN NULL; END $$;
       CREATE CONSTRAINT TRIGGER at_the_end AFTER INSERT ON notes DEFERRABLE INITIALLY DEFERRED
         FOR EACH ROW EXECUTE FUNCTION dawdle()`,
    );
    const failure = add(1).catch((error: unknown) => error);
    const { rows } = await eventually(
      () =>
        admin.query<{ pid: number }>(
          `SELECT pid FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()`,
        ),
      (found) => found.rows.length === 1,
    );
    await admin.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
    expect(await failure).toBeInstanceOf(CommitUnknownError);
    await admin.query('DROP FUNCTION dawdle() CASCADE');
    expect(await add(2)).toBe('committed');
  });
});

describe('round trips', () => {
  test('a transaction takes two with any number of statements, and one more for each further question', async () => {
    await count();
    proxy.takeRoundTrips();
    const facts = Array.from({ length: 5 }, () => query(COUNT));
    const writes = Array.from({ length: 5 }, (_, id) => query(ADD, id));
    await transactions.run(facts, () => ({ commit: writes, value: () => undefined }));
    expect(proxy.takeRoundTrips()).toBe(2);
    await transactions.run(facts, () => ({ rollback: undefined }));
    expect(proxy.takeRoundTrips()).toBe(2);
    await transactions.run(facts, () => ({ next: facts, decide: () => ({ rollback: undefined }) }));
    expect(proxy.takeRoundTrips()).toBe(3);
    await count();
    expect(proxy.takeRoundTrips()).toBe(1);
  });

  test('the proxy counts statements that wait for each other', async () => {
    const client = new Client({ connectionString: proxy.url });
    await client.connect();
    proxy.takeRoundTrips();
    for (const text of ['BEGIN', 'SELECT 1', 'COMMIT']) await client.query(text);
    expect(proxy.takeRoundTrips()).toBe(3);
    await client.end();
  });
});
