import { setTimeout as pause } from 'node:timers/promises';
import { type DataSource, type QueryRunner } from 'typeorm';
import { isLockTimeout } from './database-errors.js';

/*
 * A migration runs beside the processes of the version before. While one of its statements waits for the lock of a table, every other
 * statement on that table waits behind it. A statement therefore waits briefly; then its migration is rolled back and starts again.
 */

/** How long one statement of a migration waits for a lock, in milliseconds. */
export const MIGRATION_LOCK_WAIT_MS = 200;

/** Two minutes and more: the transactions of the processes end within seconds. */
const ATTEMPTS = 300;
const PAUSE_MS = 200;

/** An index that is built concurrently waits for older transactions, and nothing waits behind it. */
const CONCURRENT_WAIT_MS = 600_000;

/**
 * Runs migrations again for as long as one of them does not get a lock.
 *
 * @param run continues where the run before ended.
 * @throws the last attempt's lock timeout, or any other error at once.
 */
export async function untilLocked<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (!isLockTimeout(error) || attempt === ATTEMPTS) throw error;
      await pause(PAUSE_MS);
    }
  }
}

/**
 * Migrations without a transaction build indexes concurrently, so they wait for long. One that locks tables as well limits that by
 * itself.
 */
export function waitWhereNothingWaitsBehind({ migrations }: DataSource): void {
  for (const migration of migrations) {
    if (migration.transaction !== false) continue;
    migration.up = patient(migration.up.bind(migration));
    migration.down = patient(migration.down.bind(migration));
  }
}

type Step = (db: QueryRunner) => Promise<unknown>;

function patient(step: Step): Step {
  return async (db) => {
    await db.query(`SET lock_timeout = ${CONCURRENT_WAIT_MS}`);
    try {
      await step(db);
    } finally {
      await db.query(`SET lock_timeout = ${MIGRATION_LOCK_WAIT_MS}`);
    }
  };
}
