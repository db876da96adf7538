import { setTimeout as pause } from 'node:timers/promises';
import { type Pool } from 'pg';
import { CALLS_QUEUE } from '../../src/queue/call-jobs.js';
import { type Servers } from '../builds/servers.js';
import { type Side } from './scale-calls-report.js';

const SETTLED_MS = 5_000;
/** By the primary key; the other condition leaves out those that were filled in with ids of any order. */
const SINCE = 'id >= least_call_id($1) AND accepted_at >= $1';

export async function now(db: Pool): Promise<Date> {
  const { rows } = await db.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  return rows[0]?.now ?? new Date(NaN);
}

/** Waits until every call since then has ended. @returns how many there were. */
export async function ended(db: Pool, since: Date): Promise<number> {
  for (;;) {
    const { rows } = await db.query<{ open: number; calls: number }>(
      `SELECT count(*) FILTER (WHERE phase < 2)::integer AS open, count(*)::integer AS calls
       FROM call_requests WHERE ${SINCE}`,
      [since],
    );
    const [{ open, calls } = { open: 0, calls: 0 }] = rows;
    if (open === 0) return calls;
    await pause(50);
  }
}

/** Removes the calls since then: their numbers may be called again. */
export async function forget(db: Pool, since: Date): Promise<void> {
  await db.query('DELETE FROM call_details WHERE id >= least_call_id($1)', [since]);
  await db.query(`DELETE FROM call_requests WHERE ${SINCE}`, [since]);
}

/** By table, with its indexes. */
export async function bytesOf(db: Pool): Promise<Side['bytes']> {
  const { rows } = await db.query<Side['bytes'][number]>(
    `SELECT coalesce(i.inhparent, c.oid)::regclass::text AS name, sum(pg_table_size(c.oid))::float8 AS rows,
       sum(pg_indexes_size(c.oid))::float8 AS indexes
     FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
     WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
       AND coalesce(i.inhparent, c.oid) IN ('call_requests'::regclass, 'call_details'::regclass, 'contacts'::regclass)
     GROUP BY 1 ORDER BY 1`,
  );
  return rows;
}

/** Waits until the number of wake-ups in Redis stays. */
export async function settled({ redis }: Servers, name: string): Promise<void> {
  let [before, since] = [-1, performance.now()];
  while (performance.now() - since < SETTLED_MS) {
    const jobs = await redis.zcard(`{${name}}:${CALLS_QUEUE}:delayed`);
    if (jobs !== before) [before, since] = [jobs, performance.now()];
    await pause(250);
  }
  console.error(`${before} wake-ups in Redis`);
}
