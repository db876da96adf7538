import { type Stack } from './stack.js';

/** What one worker with nothing to do costs in a second. */
export interface Idle {
  postgresMs: number;
  nodeMs: number;
  /** Of enrollments, by any plan. */
  rows: number;
  /** Of large tables, in all. */
  scans: number;
}

const SETTLE_MS = 5_000;

/** Only a worker, for so many seconds, once the events of what was made before have their numbers. */
export async function idle(stack: Stack, seconds: number): Promise<Idle> {
  const worker = await stack.startWorker();
  do await pause(SETTLE_MS);
  while (await hasUnnumberedEvents(stack));
  const pids = [worker.program.pid ?? 0];
  const [scans, rows, cpu] = [await tableScans(stack), await rowsRead(stack), stack.cpu(pids)];
  await pause(seconds * 1_000);
  const after = stack.cpu(pids);
  // Connections tell what they have read when they end, or are idle for a while.
  await worker.stop();
  return {
    postgresMs: (after.postgres - cpu.postgres) / 1_000 / seconds,
    nodeMs: (after.node - cpu.node) / 1_000 / seconds,
    rows: ((await rowsRead(stack)) - rows) / seconds,
    scans: (await tableScans(stack)) - scans,
  };
}

/** Sequential scans of the tables that grow with enrollments. */
export async function tableScans(stack: Stack): Promise<number> {
  const { rows } = await stack.db.query<{ scans: number }>(
    `SELECT sum(seq_scan)::integer AS scans FROM pg_stat_user_tables
     WHERE relname IN ('enrollments', 'enrollment_dials', 'call_requests', 'contacts')`,
  );
  return rows[0]?.scans ?? NaN;
}

async function hasUnnumberedEvents(stack: Stack): Promise<boolean> {
  const { rows } = await stack.db.query<{ events: number }>('SELECT events FROM count_unnumbered_events()');
  return rows[0]?.events !== 0;
}

async function rowsRead(stack: Stack): Promise<number> {
  const { rows } = await stack.db.query<{ n: number }>(
    `SELECT (seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 AS n FROM pg_stat_user_tables WHERE relname = 'enrollments'`,
  );
  return rows[0]?.n ?? NaN;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
