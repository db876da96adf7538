import { Client } from 'pg';
import { type DataSource } from 'typeorm';
import {
  TRY_LOCKS_OF_CALLS,
  TRY_LOCKS_OF_REQUESTS,
  type TriedLocksRow,
  type TriedRequestLocksRow,
} from '../../src/dialing/facts/locks.sql.js';
import { createDataSource } from '../../src/database/data-source.js';
import { RESTRICTED_ROLE } from '../../src/database/restricted-role.js';
import { teamsOfCalls } from '../../src/database/team-scope.js';
import { PooledTransactions } from '../../src/database/pooled-transactions.js';
import { query, type Statement } from '../../src/database/transactions.js';
import { nextNumber } from '../support/builders.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { buildEverything, type Everything } from './restricted.js';

let database: TestDatabase;
let db: DataSource;
let holder: Client;
let transactions: PooledTransactions;
let own: Everything;
let foreign: Everything;

beforeAll(async () => {
  database = await createTestDatabase();
  db = await createDataSource(database.url).initialize();
  holder = new Client({ connectionString: database.url });
  await holder.connect();
  transactions = new PooledTransactions({
    databaseUrl: database.url,
    poolSize: 2,
    role: RESTRICTED_ROLE,
    onError: () => undefined,
  });
});
afterAll(async () => {
  await transactions.close();
  await holder.end();
  await db.destroy();
  await database.drop();
});
beforeEach(async () => {
  own = await buildEverything(db);
  foreign = await buildEverything(db);
});

const TEAMS: Statement = { name: 'teams', text: 'SELECT DISTINCT team_id FROM contacts ORDER BY team_id' };
const seen = (rows: object[] = []) => rows.map((row) => (row as { team_id: string }).team_id);

interface Locked {
  locks: TriedLocksRow['locks'];
  keyLocks?: TriedRequestLocksRow['key_locks'];
  /** Whose rows the transaction sees behind it. */
  teams: string[];
}

const lockedBy = ({ locks, key_locks: keyLocks }: TriedRequestLocksRow) =>
  keyLocks === undefined ? { locks } : { locks, keyLocks };

const lock = (statement: Statement, ...values: unknown[]) =>
  transactions.run<Locked>([query(statement, ...values), query(TEAMS)], ([locked, teams]) => ({
    rollback: { ...lockedBy(locked?.rows[0] as TriedRequestLocksRow), teams: seen(teams?.rows) },
  }));

const lockKeys = (...asked: [Everything | Buffer, string, string?][]) =>
  lock(
    TRY_LOCKS_OF_REQUESTS,
    asked.map(([key]) => (Buffer.isBuffer(key) ? key : key.keyHash)),
    asked.map(([, number]) => number),
    asked.map(([, , key]) => key ?? null),
    false,
  );

/** While another transaction holds what the SQL locks. */
async function whileHeld<T>(sql: string, values: unknown[], run: () => Promise<T>): Promise<T> {
  await holder.query('BEGIN');
  try {
    await holder.query(sql, values);
    return await run();
  } finally {
    await holder.query('ROLLBACK');
  }
}
const NUMBER_LOCK = 'SELECT pg_advisory_xact_lock(number_lock_key($1, $2))';
const TEAM_LOCK = 'SELECT pg_advisory_xact_lock(team_lock_key($1))';

test('requests of several teams get their locks, and read the rows of these teams only', async () => {
  await buildEverything(db);
  const { locks, teams } = await lockKeys([own, nextNumber()], [foreign, nextNumber()], [own, nextNumber()]);
  expect(locks).toEqual(['shared', 'shared', 'shared']);
  expect(teams).toEqual([own.team, foreign.team].sort());
});

test('several requests to a number of a team share its lock', async () => {
  const number = nextNumber();
  const { locks } = await lockKeys([own, number], [own, number], [foreign, number]);
  expect(locks).toEqual(['shared', 'shared', 'shared']);
});

test('a held Idempotency-Key is reported without waiting', async () => {
  const held = 'SELECT pg_advisory_xact_lock(idempotency_lock_key($1, $2))';
  const { keyLocks } = await whileHeld(held, [own.team, 'held'], () =>
    lockKeys(
      [own, nextNumber(), 'held'],
      [own, nextNumber(), 'free'],
      [foreign, nextNumber(), 'held'],
      [own, nextNumber()],
    ),
  );
  expect(keyLocks).toEqual([false, true, true, null]);
});

test('a held lock of a number or a team is reported without waiting', async () => {
  const number = nextNumber();
  const byNumber = await whileHeld(NUMBER_LOCK, [own.team, number], () =>
    lockKeys([own, number], [own, nextNumber()]),
  );
  expect(byNumber.locks).toEqual([null, 'shared']);
  const byTeam = await whileHeld(TEAM_LOCK, [own.team], () => lockKeys([own, number], [foreign, number]));
  expect(byTeam.locks).toEqual([null, 'shared']);
});

test('an unknown API key takes no lock and has no team', async () => {
  expect(await lockKeys([Buffer.alloc(32), nextNumber(), 'key'])).toEqual({
    locks: ['shared'],
    keyLocks: [null],
    teams: [],
  });
});

test('near its plan’s limit, a team’s requests hold its lock exclusively', async () => {
  await db.query('UPDATE teams SET monthly_call_limit = 1000000000 WHERE id = $1', [foreign.team]);
  await db.query('UPDATE teams SET monthly_call_limit = 5 WHERE id = $1', [own.team]);
  const { locks } = await lockKeys([own, nextNumber()], [own, nextNumber()], [foreign, nextNumber()]);
  expect(locks).toEqual(['exclusive', 'exclusive', 'shared']);
  const shared = 'SELECT pg_advisory_xact_lock_shared(team_lock_key($1))';
  expect((await whileHeld(shared, [own.team], () => lockKeys([own, nextNumber()]))).locks).toEqual([null]);
});

test('calls take the same locks, except the second one to a number; exclusively if concurrency slots are counted', async () => {
  const unknown = '00000000-0000-4000-8000-000000000000';
  const free = () => lock(TRY_LOCKS_OF_CALLS, [own.call, foreign.call, own.call, unknown], false);
  expect(await free()).toEqual({
    locks: ['shared', 'shared', null, 'shared'],
    teams: [own.team, foreign.team].sort(),
  });
  await db.query('UPDATE teams SET max_concurrent_calls = 2 WHERE id = $1', [own.team]);
  expect((await free()).locks).toEqual(['exclusive', 'shared', null, 'shared']);
});

test('a batch of reports reads the rows of its calls’ teams only', async () => {
  await buildEverything(db);
  const within = transactions.within(teamsOfCalls([own.call, foreign.call]));
  expect(seen(await within.read(query(TEAMS)))).toEqual([own.team, foreign.team].sort());
  expect(await transactions.within(teamsOfCalls([own.team])).read(query(TEAMS))).toEqual([]);
});
