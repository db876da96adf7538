import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { createDataSource } from '../../src/database/data-source.js';
import { migrate } from '../../src/database/migrate.js';
import { describeSchema } from './schema-description.js';
import { dumpSchema } from '../../tools/schema/dump-schema.js';
import { MIGRATION_LOCK_WAIT_MS } from '../../src/database/brief-locks.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

describe('migrations', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createEmptyDatabase();
  });
  afterEach(() => database.drop());

  async function schema(): Promise<string[]> {
    const db = await createDataSource(database.url).initialize();
    try {
      return await describeSchema(db);
    } finally {
      await db.destroy();
    }
  }

  test('run on an empty database, are reverted completely, and create the same schema again', async () => {
    const ran = await migrate(database.url);
    expect(ran).toContain('InitialSchema1763700000000');
    const first = await schema();
    expect(first.length).toBeGreaterThan(100);

    const reverted: string[] = [];
    for (let names = await migrate(database.url, 'revert'); names.length > 0;) {
      reverted.push(...names);
      names = await migrate(database.url, 'revert');
    }
    expect(reverted.reverse()).toEqual(ran);
    expect(await schema()).toEqual([]);

    expect(await migrate(database.url)).toEqual(ran);
    expect(await schema()).toEqual(first);
  });

  test('reverting re-entry restores the key that the first second entry dropped', async () => {
    await migrate(database.url);
    const db = await createDataSource(database.url).initialize();
    await db.query('SELECT allow_reentry()');
    const key = `SELECT FROM pg_constraint WHERE conname = 'uq_enrollments_campaign_contact'`;
    expect(await db.query(key)).toHaveLength(0);
    for (let reverted: string[] = ['']; reverted.length > 0 && !reverted.includes('Reentry1764140100000');)
      reverted = await migrate(database.url, 'revert');
    expect(await db.query(key)).toHaveLength(1);
    await db.destroy();
  });

  test('a second run changes nothing', async () => {
    await migrate(database.url);
    expect(await migrate(database.url)).toEqual([]);
  });

  test('reverting an empty database does nothing', async () => {
    expect(await migrate(database.url, 'revert')).toEqual([]);
  });

  test('parallel runs migrate once', async () => {
    const runs = await Promise.all(Array.from({ length: 4 }, () => migrate(database.url)));
    expect(runs.filter((names) => names.length > 0)).toHaveLength(1);
  });

  test('a failed migration changes nothing, and releases the lock', async () => {
    const db = await createDataSource(database.url).initialize();
    await db.query('CREATE TABLE whitelist (in_the_way boolean)');
    await expect(migrate(database.url)).rejects.toThrow('whitelist');
    expect(await describeSchema(db)).toEqual(['column whitelist.in_the_way: bool']);
    await db.query('DROP TABLE whitelist');
    await db.destroy();
    expect(await migrate(database.url)).not.toEqual([]);
  });
});

test('migrations/schema.sql is the schema of the migrations; `npm run schema` writes it', async () => {
  const database = await createTestDatabase();
  const db = await createDataSource(database.url).initialize();
  try {
    const committed = readFileSync(join(__dirname, '../../migrations/schema.sql'), 'utf8');
    expect(await dumpSchema(db)).toBe(committed);
  } finally {
    await db.destroy();
    await database.drop();
  }
});

describe('beside other statements', () => {
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
});
