import { setTimeout as pause } from 'node:timers/promises';
import { type DataSource, type QueryRunner } from 'typeorm';
import { isLockTimeout } from './database-errors.js';

/*
 * A migration runs beside the processes of the version before. While one of its statements waits for the lock
 * of a table, every other statement on that table waits behind it. A statement therefore waits briefly; then
 * its migration is rolled back and starts again.
 */

/** How long one statement of a migration waits for a lock, in milliseconds. */
export const MIGRATION_LOCK_WAIT_MS = 200;

/** All attempts and pauses take at least two minutes. The transactions of the processes end within seconds. */
const ATTEMPTS = 300;
const PAUSE_MS = 200;

/**
 * In milliseconds. The concurrent build of an index waits for older transactions, and no statement waits
 * behind it.
 */
const CONCURRENT_WAIT_MS = 600_000;

/**
 * Repeats `run` after each lock timeout, up to {@link ATTEMPTS} attempts.
 *
 * @param run runs migrations or one statement. A further attempt skips migrations that are committed.
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
 * In a migration without a transaction, each statement is a transaction of its own and is repeated
 * individually. Only statements with `CONCURRENTLY` wait for long.
 */
export function tryStatementsAgain({ migrations }: DataSource): void {
  for (const migration of migrations) {
    if (migration.transaction !== false) continue;
    migration.up = statementByStatement(migration.up.bind(migration));
    migration.down = statementByStatement(migration.down.bind(migration));
  }
}

type Step = (db: QueryRunner) => Promise<unknown>;

function statementByStatement(step: Step): Step {
  return async (db) => {
    const query = db.query.bind(db) as (text: string, values?: unknown[]) => Promise<unknown>;
    const run = (text: string, values?: unknown[]) =>
      CONCURRENT.test(text)
        ? patiently(query, () => query(text, values))
        : untilLocked(() => query(text, values));
    await step(
      new Proxy(db, {
        get: (target, name): unknown => (name === 'query' ? run : Reflect.get(target, name, target)),
      }),
    );
  };
}

const CONCURRENT = /\bCONCURRENTLY\b/i;

async function patiently(
  query: (text: string) => Promise<unknown>,
  run: () => Promise<unknown>,
): Promise<unknown> {
  await query(`SET lock_timeout = ${CONCURRENT_WAIT_MS}`);
  try {
    return await run();
  } finally {
    await query(`SET lock_timeout = ${MIGRATION_LOCK_WAIT_MS}`);
  }
}
