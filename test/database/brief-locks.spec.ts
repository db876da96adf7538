import { Client } from 'pg';
import { MIGRATION_LOCK_WAIT_MS } from '../../src/database/brief-locks.js';
import { migrate } from '../../src/database/migrate.js';
import { createEmptyDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

/** Alters `teams` in a transaction. */
const ALTERS_TEAMS = 'Retention1764090000000';
/** Builds an index concurrently. */
const BUILDS_AN_INDEX = 'WaitingEnrollments1764085000000';

let database: TestDatabase;
let holder: Client;
let other: Client;

beforeAll(async () => {
  database = await createEmptyDatabase();
  await migrate(database.url);
  [holder, other] = [await connect(), await connect()];
});
afterAll(async () => {
  await Promise.all([holder.end(), other.end()]);
  await database.drop();
});

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  return client;
}

async function revertThrough(name: string): Promise<void> {
  for (;;) if ((await migrate(database.url, 'revert')).includes(name)) return;
}

/** Resolves when the migration has waited for a lock once more. */
async function migrationWaits(since: Date): Promise<Date> {
  const [row] = await eventually(
    async () => {
      const { rows } = await other.query<{ at: Date }>(
        `SELECT query_start AS at FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'outdial-migrate'
           AND wait_event_type = 'Lock' AND query_start > $1`,
        [since],
      );
      return rows;
    },
    (rows) => rows.length > 0,
    20_000,
  );
  return row?.at as Date;
}

test('a migration that waits for a table starts again, and other statements run in between', async () => {
  await revertThrough(ALTERS_TEAMS);
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE teams IN ROW EXCLUSIVE MODE');
  const migrated = migrate(database.url);
  let at = new Date(0);
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    at = await migrationWaits(at);
    // Behind the migration's request for the table: passes once that is given up.
    await other.query('SELECT count(*) FROM teams');
  }
  await holder.query('COMMIT');
  expect(await migrated).toContain(ALTERS_TEAMS);
  expect(await migrate(database.url)).toEqual([]);
});

test('an index that is built concurrently waits for older transactions', async () => {
  await revertThrough(BUILDS_AN_INDEX);
  await holder.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await holder.query('SELECT count(*) FROM enrollments');
  const migrated = migrate(database.url);
  const at = await migrationWaits(new Date(0));
  // One and the same wait, far beyond what a lock is waited for.
  await eventually(
    () =>
      other.query<{ passed: boolean }>(`SELECT clock_timestamp() - $1 > $2 * interval '1 ms' AS passed`, [
        at,
        4 * MIGRATION_LOCK_WAIT_MS,
      ]),
    ({ rows }) => rows[0]?.passed === true,
  );
  const { rows } = await other.query<{ at: Date }>(
    `SELECT query_start AS at FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'outdial-migrate' AND wait_event_type = 'Lock'`,
  );
  expect(rows).toEqual([{ at }]);
  await holder.query('COMMIT');
  expect(await migrated).toContain(BUILDS_AN_INDEX);
});
