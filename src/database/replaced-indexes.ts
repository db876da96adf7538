import { type DataSource } from 'typeorm';
import { isLockTimeout } from './database-errors.js';

/** Indexes that are read only by processes that are older than the migration `by`. */
const REPLACED = [
  {
    by: 1764120050000,
    indexes: [
      'pending_number',
      'processed',
      'due',
      'waiting',
      'lines',
      'expiring',
      'unsettled',
      'number',
    ].map((name) => `ix_call_requests_${name}`),
  },
  { by: 1764180000000, indexes: ['ix_enrollments_status', 'ix_enrollments_waiting'] },
  { by: 1764270100000, indexes: ['ix_events_unnumbered', 'uq_events_sequence'] },
  { by: 1764307000000, indexes: ['ix_webhook_deliveries_due'] },
];

/** In milliseconds. */
const LONGEST_WAIT_MS = 60_000;

/**
 * The oldest version of a connected process. The name of a session contains the last migration that its
 * process was built with.
 */
const SESSIONS = `
  SELECT min(coalesce(nullif(substring(application_name from '^outdial.* ([0-9]+)$'), '')::bigint, 0)) AS oldest
  FROM pg_stat_activity
  WHERE datname = current_database() AND application_name LIKE 'outdial%' AND application_name <> 'outdial-migrate'`;

/**
 * Drops indexes that no process reads any more. While processes of an earlier version are connected, their
 * indexes stay until a later run. Such indexes only slow down writes to their tables.
 */
export async function dropReplacedIndexes(dataSource: DataSource): Promise<void> {
  const found = await dataSource.query<{ name: string }[]>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relname = ANY($1)`,
    [REPLACED.flatMap(({ indexes }) => indexes)],
  );
  if (found.length === 0) return;
  const [sessions] = await dataSource.query<{ oldest: string | null }[]>(SESSIONS);
  const oldest = sessions?.oldest == null ? Infinity : Number(sessions.oldest);
  const gone = REPLACED.filter(({ by }) => oldest >= by).flatMap(({ indexes }) => indexes);
  const runner = dataSource.createQueryRunner();
  try {
    // Other statements do not wait behind this one, so it may wait long for its lock.
    await runner.query(`SET lock_timeout = ${LONGEST_WAIT_MS}`);
    for (const { name } of found) {
      if (gone.includes(name)) await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    }
  } catch (error) {
    // A long transaction holds the table. A later run drops the remaining indexes.
    if (!isLockTimeout(error)) throw error;
  } finally {
    await runner.query('RESET lock_timeout');
    await runner.release();
  }
}
