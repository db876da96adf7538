import { Client } from 'pg';
import { isDatabaseUnavailable } from '../../src/database/database-errors.js';
import { PooledTransactions } from '../../src/database/pooled-transactions.js';
import { query, type Statement } from '../../src/database/transactions.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

let database: TestDatabase;
let admin: Client;
let transactions: PooledTransactions;
const lost: Error[] = [];

/** With one connection, so that what one transaction leaves behind hits the next. */
function connect(): PooledTransactions {
  const onError = (error: Error) => lost.push(error);
  return new PooledTransactions({ databaseUrl: database.url, poolSize: 1, onError });
}

beforeAll(async () => {
  database = await createTestDatabase();
  admin = new Client({ connectionString: database.url });
  await admin.connect();
  await admin.query('CREATE TABLE notes (id integer PRIMARY KEY, text text)');
});
afterAll(async () => {
  await admin.end();
  await database.drop();
});
beforeEach(async () => {
  await admin.query('TRUNCATE notes');
  lost.length = 0;
  transactions = connect();
});
afterEach(() => transactions.close());

const ADD: Statement = { name: 'add', text: 'INSERT INTO notes (id, text) VALUES ($1, $2) RETURNING id' };
const COUNT: Statement = { name: 'count', text: 'SELECT count(*)::integer AS notes FROM notes' };
const ECHO: Statement = { name: 'echo', text: 'SELECT $1::integer AS n' };
const DIVIDE: Statement = { name: 'divide', text: 'SELECT 1 / $1::integer' };
const NONSENSE: Statement = { name: 'nonsense', text: 'SELECT nothing FROM nowhere' };
const SLEEP: Statement = { name: 'sleep', text: 'SELECT pg_sleep($1::integer)' };
const PID: Statement = { name: 'pid', text: 'SELECT pg_backend_pid() AS pid' };

async function stored(): Promise<number[]> {
  const { rows } = await admin.query<{ id: number }>('SELECT id FROM notes ORDER BY id');
  return rows.map(({ id }) => id);
}

const add = (id: number) =>
  transactions.run([query(COUNT)], () => ({ commit: [query(ADD, id, 'x')], value: () => id }));
const backendPid = async () => (await transactions.read<{ pid: number }>(query(PID)))[0]?.pid;

describe('a transaction', () => {
  test('gives the decision its facts in order, and returns the results of its writes', async () => {
    const value = await transactions.run([query(ECHO, 1), query(ECHO, 2)], (facts) => {
      expect(facts.map(({ rows }) => rows)).toEqual([[{ n: 1 }], [{ n: 2 }]]);
      return {
        commit: [query(ADD, 7, 'a'), query(ADD, 8, 'b')],
        value: (results) => results.map(({ rows }) => rows[0] as unknown),
      };
    });
    expect(value).toEqual([{ id: 7 }, { id: 8 }]);
    expect(await stored()).toEqual([7, 8]);
  });

  test('may query more before it decides', async () => {
    const value = await transactions.run<object>([query(ECHO, 1)], () => ({
      next: [query(ADD, 1, 'x'), query(COUNT)],
      decide: ([, counted]) => ({ commit: [query(ADD, 2, 'y')], value: () => counted?.rows[0] as object }),
    }));
    expect(value).toEqual({ notes: 1 });
    expect(await stored()).toEqual([1, 2]);
  });

  test('that the decision rolls back stores nothing', async () => {
    const value = await transactions.run([query(ADD, 1, 'x')], () => ({ rollback: 'never mind' }));
    expect(value).toBe('never mind');
    expect(await stored()).toEqual([]);
    expect(await add(2)).toBe(2);
  });

  test('whose decision throws stores nothing and throws the same error', async () => {
    const bug = new Error('a rule is broken');
    const run = transactions.run([query(ADD, 1, 'x')], () => {
      throw bug;
    });
    await expect(run).rejects.toBe(bug);
    expect(await stored()).toEqual([]);
    expect(await add(2)).toBe(2);
  });
});

describe('a failing statement', () => {
  const never = () => {
    throw new Error('the decision was made');
  };

  test.each<[string, Statement, unknown[], string]>([
    ['at run time', DIVIDE, [0], '22012'],
    ['already when it is parsed', NONSENSE, [], '42P01'],
  ])(
    'among the facts, %s: its own error, and the connection serves on',
    async (_when, statement, values, code) => {
      const pid = await backendPid();
      // On a connection that knows none of them: what comes after the failure is not prepared either.
      const run = transactions.run([query(ADD, 1, 'x'), query(statement, ...values), query(COUNT)], never);
      await expect(run).rejects.toMatchObject({ code });
      expect(await stored()).toEqual([]);
      expect(await transactions.read(query(COUNT))).toEqual([{ notes: 0 }]);
      expect(await add(2)).toBe(2);
      expect(await backendPid()).toBe(pid);
    },
  );

  test('among the writes: nothing is stored, and its COMMIT counts as a rollback', async () => {
    const pid = await backendPid();
    const value = jest.fn();
    const run = transactions.run([], () => ({
      commit: [query(ADD, 1, 'x'), query(DIVIDE, 0), query(ADD, 2, 'x')],
      value,
    }));
    await expect(run).rejects.toMatchObject({ code: '22012' });
    expect(value).not.toHaveBeenCalled();
    expect(await stored()).toEqual([]);
    expect(await add(3)).toBe(3);
    expect(await backendPid()).toBe(pid);
  });

  test('a violated constraint is named by its code', async () => {
    await add(1);
    await expect(add(1)).rejects.toMatchObject({ code: '23505', constraint: 'notes_pkey' });
    expect(await add(2)).toBe(2);
  });

  test('a refused COMMIT is no commit', async () => {
    await admin.query(
      `CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'refused at the end' USING ERRCODE = '23514'; END $$;
       CREATE CONSTRAINT TRIGGER at_the_end AFTER INSERT ON notes DEFERRABLE INITIALLY DEFERRED
         FOR EACH ROW EXECUTE FUNCTION refuse()`,
    );
    try {
      const value = jest.fn();
      const run = transactions.run([], () => ({ commit: [query(ADD, 1, 'x')], value }));
      await expect(run).rejects.toThrow();
      expect(value).not.toHaveBeenCalled();
    } finally {
      await admin.query('DROP FUNCTION refuse() CASCADE');
    }
    expect(await stored()).toEqual([]);
    expect(await add(2)).toBe(2);
  });
});

describe('limits of every connection', () => {
  test('are set', async () => {
    const limits = ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout'];
    const columns = limits.map((limit) => `current_setting('${limit}') AS ${limit}`).join(', ');
    expect(await transactions.read(query({ name: 'limits', text: `SELECT ${columns}` }))).toEqual([
      { lock_timeout: '3s', statement_timeout: '5s', idle_in_transaction_session_timeout: '5s' },
    ]);
  });

  test('end a wait for a lock, and the connection stays usable', async () => {
    const pid = await backendPid();
    await admin.query('SELECT pg_advisory_lock(42)');
    const lock = { name: 'lock', text: 'SELECT pg_advisory_xact_lock(42)' };
    const run = transactions.run([query(lock), query(COUNT)], () => ({ rollback: 'locked' }));
    const error: unknown = await run.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: '55P03' });
    expect(isDatabaseUnavailable(error)).toBe(true);
    await admin.query('SELECT pg_advisory_unlock(42)');
    expect(await transactions.run([query(lock), query(COUNT)], () => ({ rollback: 'locked' }))).toBe(
      'locked',
    );
    expect(await backendPid()).toBe(pid);
  });
});

describe('a connection that Postgres closes', () => {
  const terminate = (pid: number | undefined) => admin.query('SELECT pg_terminate_backend($1)', [pid]);
  const sleeping = () =>
    eventually(
      () =>
        admin.query(
          `SELECT pid FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()`,
        ),
      ({ rows }) => rows.length === 1,
    );

  test('while it waits for facts: the error says so, and the next transaction gets another connection', async () => {
    const pid = await backendPid();
    const run = transactions.run([query(ADD, 1, 'x'), query(SLEEP, 30), query(COUNT)], () => ({
      rollback: 1,
    }));
    const failure = run.catch((error: unknown) => error);
    await sleeping();
    await terminate(pid);
    expect(isDatabaseUnavailable(await failure)).toBe(true);
    expect(await stored()).toEqual([]);
    expect(await add(2)).toBe(2);
    expect(await backendPid()).not.toBe(pid);
  });

  test('while a further step runs: the error says so', async () => {
    const pid = await backendPid();
    const run = transactions.run<unknown>([query(ADD, 1, 'x')], () => ({
      next: [query(SLEEP, 30)],
      decide: () => ({ rollback: null }),
    }));
    const failure = run.catch((error: unknown) => error);
    await sleeping();
    await terminate(pid);
    expect(isDatabaseUnavailable(await failure)).toBe(true);
    expect(await add(2)).toBe(2);
  });

  test('while it is idle: the fault is reported, and the connection replaced', async () => {
    const pid = await backendPid();
    await terminate(pid);
    await eventually(
      () => Promise.resolve(lost.length),
      (errors) => errors > 0,
    );
    expect(await add(1)).toBe(1);
    expect(await backendPid()).not.toBe(pid);
  });
});
