import { DatabaseError } from 'pg';
import { type DataSource } from 'typeorm';
import { CommitUnknownError } from '../../src/database/database-errors.js';
import { createDataSource } from '../../src/database/data-source.js';
import { RESTRICTED_ROLE, RoleRefusedError } from '../../src/database/restricted-role.js';
import { team, teamOfCall, teamOfKey, teamsOfCalls, teamsOfKeys } from '../../src/database/team-scope.js';
import { PooledTransactions } from '../../src/database/pooled-transactions.js';
import { query, type Statement } from '../../src/database/transactions.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type CommitFate, type PostgresProxy, startPostgresProxy } from '../support/postgres-proxy.js';
import { buildEverything, type Everything } from './restricted.js';

let database: TestDatabase;
let db: DataSource;
let proxy: PostgresProxy;
let own: Everything;
let foreign: Everything;
let transactions: PooledTransactions;

/** With one connection, so that what one transaction leaves behind hits the next. */
function connect(role?: string): PooledTransactions {
  return new PooledTransactions({ databaseUrl: proxy.url, poolSize: 1, role, onError: () => undefined });
}

beforeAll(async () => {
  database = await createTestDatabase();
  db = await createDataSource(database.url).initialize();
  proxy = await startPostgresProxy(database.url);
  own = await buildEverything(db);
  foreign = await buildEverything(db);
});
afterAll(async () => {
  await proxy.close();
  await db.destroy();
  await database.drop();
});
beforeEach(() => {
  transactions = connect(RESTRICTED_ROLE);
});
afterEach(() => transactions.close());

// Each forgets its team.
const TEAMS: Statement = { name: 'teams', text: 'SELECT DISTINCT team_id FROM contacts' };
const RENAME: Statement = { name: 'rename', text: 'UPDATE contacts SET name = $1 RETURNING team_id' };
const DIVIDE: Statement = { name: 'divide', text: 'UPDATE contacts SET name = 1 / $1::integer' };

const seen = (rows: object[]) => rows.map((row) => (row as { team_id: string }).team_id);

async function names(): Promise<Record<string, string>> {
  const rows = await db.query<{ team_id: string; name: string }[]>('SELECT team_id, name FROM contacts');
  return Object.fromEntries(rows.map((row) => [row.team_id, row.name]));
}

test('a statement without a team reads and changes no row', async () => {
  expect(await transactions.read(query(TEAMS))).toEqual([]);
  expect(await transactions.autocommit(query(RENAME, 'x'))).toEqual([]);
  const found = await transactions.run([query(TEAMS)], (facts) => ({ rollback: facts[0]?.rows }));
  expect(found).toEqual([]);
});

test('a transaction sees the team of its key, call or id, and the next one does not', async () => {
  const scopes = [team(own.team), teamOfKey(own.keyHash), teamOfCall(own.call)];
  for (const scope of scopes) {
    const within = transactions.within(scope);
    expect(seen(await within.read(query(TEAMS)))).toEqual([own.team]);
    const found = await within.run<object[]>([query(TEAMS)], ([first]) => ({
      next: [query(TEAMS)],
      decide: ([second]) => ({ commit: [], value: () => [...(first?.rows ?? []), ...(second?.rows ?? [])] }),
    }));
    expect(seen(found)).toEqual([own.team, own.team]);
    expect(await transactions.read(query(TEAMS))).toEqual([]);
  }
});

test('with an unknown key or call, no row is visible', async () => {
  for (const scope of [teamOfKey(Buffer.alloc(32)), teamOfCall(own.team), team(own.call)]) {
    expect(await transactions.within(scope).read(query(TEAMS))).toEqual([]);
  }
});

test('a single statement writes only its team’s rows', async () => {
  const renamed = await transactions.within(team(own.team)).autocommit(query(RENAME, 'Ada'));
  expect(seen(renamed)).toEqual([own.team]);
  expect(await names()).toEqual({ [own.team]: 'Ada', [foreign.team]: null });
});

test('a single statement that fails throws its own error, and the connection stays usable', async () => {
  const within = transactions.within(team(own.team));
  const failure: unknown = await within.autocommit(query(DIVIDE, 0)).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(DatabaseError);
  expect(failure).toMatchObject({ code: '22012' });
  proxy.takeRoundTrips();
  expect(seen(await within.read(query(TEAMS)))).toEqual([own.team]);
  expect(await transactions.read(query(TEAMS))).toEqual([]);
  expect(proxy.takeRoundTrips()).toBe(2);
});

test.each<[CommitFate, string]>([
  ['lost', 'before'],
  ['answer lost', 'after'],
])('one statement whose COMMIT is %s: neither a success nor a failure', async (fate, stored) => {
  const within = transactions.within(team(own.team));
  await within.autocommit(query(RENAME, 'before'));
  const happened = proxy.nextCommit(fate);
  const failure: unknown = await within.autocommit(query(RENAME, 'after')).catch((error: unknown) => error);
  await happened;
  expect(failure).toBeInstanceOf(CommitUnknownError);
  expect((await names())[own.team]).toBe(stored);
  expect(seen(await within.read(query(TEAMS)))).toEqual([own.team]);
});

test('setting the team costs no round trip', async () => {
  const within = transactions.within(teamOfKey(own.keyHash));
  await within.read(query(TEAMS));
  proxy.takeRoundTrips();
  await within.read(query(TEAMS));
  expect(proxy.takeRoundTrips()).toBe(1);
  await within.autocommit(query(RENAME, 'y'));
  expect(proxy.takeRoundTrips()).toBe(1);
  await within.run([query(TEAMS)], () => ({ commit: [query(RENAME, 'z')], value: () => undefined }));
  expect(proxy.takeRoundTrips()).toBe(2);
});

test('without row-level security, only the queries’ own conditions apply', async () => {
  const free = connect();
  const all = [own.team, foreign.team].sort();
  expect(seen(await free.read(query(TEAMS))).sort()).toEqual(all);
  expect(seen(await free.within(team(own.team)).read(query(TEAMS))).sort()).toEqual(all);
  await free.close();
});

test('a refused role fails the transaction', async () => {
  const refused = connect('outdial_absent');
  for (let round = 0; round < 2; round += 1) {
    await expect(refused.read(query(TEAMS))).rejects.toThrow(RoleRefusedError);
    await expect(refused.within(team(own.team)).read(query(TEAMS))).rejects.toThrow('outdial_absent');
  }
  await refused.close();
});

test.each([RESTRICTED_ROLE, undefined])('a batch waits briefly for locks, as role %s', async (role) => {
  const as = connect(role);
  const LIMIT: Statement = { name: 'limit', text: `SELECT current_setting('lock_timeout') AS wait` };
  try {
    for (const scope of [teamsOfKeys([own.keyHash]), teamsOfCalls([own.call])]) {
      const [result] = await as.within(scope).inOneRoundTrip([query(LIMIT)]);
      expect(result?.rows).toEqual([{ wait: '100ms' }]);
    }
  } finally {
    await as.close();
  }
});
