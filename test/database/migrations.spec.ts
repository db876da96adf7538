import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { type DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/data-source.js';
import { migrate } from '../../src/database/migrate.js';
import { MIGRATION_NAMES, MIGRATIONS } from '../../src/database/migrations.js';
import { repeatableScripts } from '../../src/database/repeatable.js';
import {
  AltersTeams4000000000001,
  BuildsAnIndex4000000000002,
  Fails4000000000003,
  LATER,
} from './later-migrations.js';
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

  test('run on an empty database; those after the baseline are reverted, and make the same schema again', async () => {
    expect(await migrate(database.url)).toEqual(MIGRATION_NAMES);
    const first = await schema();
    expect(first.length).toBeGreaterThan(100);

    const later = [AltersTeams4000000000001.name, BuildsAnIndex4000000000002.name];
    expect(await migrate(database.url, 'up', LATER)).toEqual(later);
    const second = await schema();
    expect(second.filter((line) => !first.includes(line))).toEqual([
      expect.stringMatching(/^column teams.motto: /) as string,
      expect.stringMatching(/^index ix_enrollments_source: /) as string,
    ]);
    expect(await migrate(database.url, 'revert', LATER)).toEqual([BuildsAnIndex4000000000002.name]);
    expect(await migrate(database.url, 'revert', LATER)).toEqual([AltersTeams4000000000001.name]);
    expect(await schema()).toEqual(first);
    expect(await migrate(database.url, 'up', LATER)).toEqual(later);
    expect(await schema()).toEqual(second);
  });

  test('each migration is reverted, except the baseline', async () => {
    await migrate(database.url);
    const all = await schema();
    const [, ...later] = MIGRATION_NAMES;
    for (const name of [...later].reverse()) expect(await migrate(database.url, 'revert')).toEqual([name]);
    const before = await schema();
    await expect(migrate(database.url, 'revert')).rejects.toThrow('drop the database instead');
    expect(await schema()).toEqual(before);
    expect(await migrate(database.url)).toEqual(later);
    expect(await schema()).toEqual(all);
  });

  test('a function may call one that is created later', async () => {
    // `count_overdue_calls` is of SQL, whose text Postgres checks, and calls it.
    expect(repeatableScripts().map(({ name }) => name)).toEqual(
      expect.arrayContaining(['count_overdue_calls', 'outdial_now']),
    );
    await migrate(database.url);
    const db = await createDataSource(database.url).initialize();
    expect(await db.query('SELECT calls FROM count_overdue_calls()')).toEqual([{ calls: 0 }]);
    await db.destroy();
  });

  describe('a database of a version before 1.0', () => {
    const refusal = /^Nothing is changed: the database is of a version before 1\.0, .*new, empty database/;
    let db: DataSource;

    beforeEach(async () => {
      db = await createDataSource(database.url).initialize();
      await db.query(
        'CREATE TABLE migrations (id serial PRIMARY KEY, "timestamp" bigint NOT NULL, name varchar NOT NULL)',
      );
      await db.query(
        `INSERT INTO migrations ("timestamp", name) VALUES (1763700000000, 'InitialSchema1763700000000')`,
      );
      await db.query('CREATE TABLE teams (id uuid PRIMARY KEY)');
    });
    afterEach(() => db.destroy());

    test.each(['up', 'revert'] as const)('is refused, and nothing is changed: %s', async (direction) => {
      const before = await everything(db);
      await expect(migrate(database.url, direction)).rejects.toThrow(refusal);
      expect(await everything(db)).toEqual(before);
    });
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
    expect(await migrate(database.url)).toEqual(MIGRATION_NAMES);
    const before = await schema();
    await expect(migrate(database.url, 'up', [MIGRATIONS, Fails4000000000003])).rejects.toThrow('team_id');
    expect(await schema()).toEqual(before);
    expect(await migrate(database.url, 'up', LATER)).toHaveLength(2);
  });
});

/** All relations, functions and rows of migrations. */
const everything = (db: DataSource) =>
  db.query<object[]>(
    `SELECT relname::text AS name, xmin::text FROM pg_class WHERE relnamespace = 'public'::regnamespace
     UNION ALL SELECT proname, xmin::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace
     UNION ALL SELECT name, xmin::text FROM migrations ORDER BY 1, 2`,
  );

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

  afterEach(async () => {
    await migrate(database.url, 'revert', LATER);
    await migrate(database.url, 'revert', LATER);
  });

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
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE teams IN ROW EXCLUSIVE MODE');
    const migrated = migrate(database.url, 'up', LATER);
    let at = new Date(0);
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      at = await migrationWaits(at);
      // Behind the migration's request for the table: passes once that is given up.
      await other.query('SELECT count(*) FROM teams');
    }
    await holder.query('COMMIT');
    expect(await migrated).toContain(AltersTeams4000000000001.name);
    expect(await migrate(database.url, 'up', LATER)).toEqual([]);
  });

  test('an index that is built concurrently waits for older transactions', async () => {
    await holder.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await holder.query('SELECT count(*) FROM enrollments');
    const migrated = migrate(database.url, 'up', LATER);
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
    expect(await migrated).toContain(BuildsAnIndex4000000000002.name);
  });
});
