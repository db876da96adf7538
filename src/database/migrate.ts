import { setTimeout as pause } from 'node:timers/promises';
import { type QueryRunner } from 'typeorm';
import { tryStatementsAgain, untilLocked } from './brief-locks.js';
import { createDataSource, type Migrations } from './data-source.js';
import { ConfigError } from '../config/config-error.js';
import { requireSupportedPostgres } from './postgres-version.js';
import { BEFORE_BASELINE, isBeforeBaseline, MIGRATIONS } from './migrations.js';
import { applyRepeatable, forgetRepeatable } from './repeatable.js';

// An arbitrary key that no other code locks. The keys of the other advisory locks are hashes of 64 bits.
const MIGRATION_LOCK = 20251121;
const LOCK_WAIT_MS = 120_000;
const LOCK_POLL_MS = 200;

/**
 * Brings the schema and its functions up to date, or reverts the last migration. Concurrent runs wait for
 * each other, so each migration runs once. A migration is one transaction unless it declares otherwise. A
 * migration that does not get a lock soon is rolled back and tried again, so no other statement waits behind
 * it for long.
 *
 * @param migrations all of them, as classes or patterns of files.
 * @returns the names of the migrations that ran, in order; empty if there was nothing to do.
 * @throws ConfigError for a Postgres that is too old, or a database of a version before 1.0; the database's error;
 *   an error when another run does not end within two minutes.
 */
export async function migrate(
  databaseUrl: string,
  direction: 'up' | 'revert' = 'up',
  migrations: Migrations = [MIGRATIONS],
): Promise<string[]> {
  const dataSource = createDataSource(databaseUrl, {
    migrations,
    poolSize: 3,
    applicationName: 'outdial-migrate',
  });
  await dataSource.initialize();
  tryStatementsAgain(dataSource);
  try {
    await requireSupportedPostgres((sql) => dataSource.query(sql));
    // A separate session holds the lock, so that a failed migration does not lose it.
    const guard = dataSource.createQueryRunner();
    try {
      await lock(guard);
      return await run();
    } finally {
      // TypeORM does not reset a released connection, so the lock is held until the pool is destroyed below.
      await guard.release();
    }
  } finally {
    await dataSource.destroy();
  }

  async function run(): Promise<string[]> {
    const before = await executed();
    if (isBeforeBaseline(before)) throw new ConfigError(`Nothing is changed: ${BEFORE_BASELINE}.`);
    if (direction === 'up') {
      await untilLocked(() => dataSource.runMigrations({ transaction: 'each' }));
      await applyRepeatable(dataSource);
      await dataSource.query('SELECT make_call_months()');
      const after = await executed();
      return after.filter((name) => !before.includes(name));
    }
    await forgetRepeatable(dataSource);
    await untilLocked(() => dataSource.undoLastMigration({ transaction: 'each' }));
    const after = await executed();
    return before.filter((name) => !after.includes(name));
  }

  async function executed(): Promise<string[]> {
    const [table] = await dataSource.query<{ exists: boolean }[]>(
      `SELECT to_regclass('migrations') IS NOT NULL AS exists`,
    );
    if (!table?.exists) return [];
    const rows = await dataSource.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY id');
    return rows.map((row) => row.name);
  }
}

/**
 * Tries the lock again and again. A statement that waits for the lock would hold a snapshot, and the
 * concurrent build of an index waits for all older snapshots.
 */
async function lock(guard: QueryRunner): Promise<void> {
  const deadline = Date.now() + LOCK_WAIT_MS;
  for (;;) {
    const [row] = (await guard.query('SELECT pg_try_advisory_lock($1) AS locked', [MIGRATION_LOCK])) as {
      locked: boolean;
    }[];
    if (row?.locked) return;
    if (Date.now() > deadline) throw new Error('Another migration has not ended within two minutes');
    await pause(LOCK_POLL_MS);
  }
}
