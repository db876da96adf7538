import { setTimeout as pause } from 'node:timers/promises';
import { type Pool } from 'pg';

const EVERY_MS = 20;

/** The longest wait of a statement for a table, in milliseconds, and the statement. */
export interface LongestWait {
  ms: number;
  what: string;
}

/**
 * The sessions that wait for the lock of a table, and for how long. The migrator is recognized by the name of
 * its session.
 */
const WAITING = `
  SELECT a.application_name = 'outdial-migrate' AS migrator, l.mode, l.relation::regclass::text AS relation,
    extract(epoch FROM clock_timestamp() - l.waitstart)::float8 * 1000 AS ms, left(a.query, 80) AS query
  FROM pg_locks l JOIN pg_stat_activity a USING (pid)
  WHERE NOT l.granted AND l.locktype = 'relation' AND l.waitstart IS NOT NULL AND a.datname = current_database()`;

/** Looks fifty times a second at the sessions that wait for a table. */
export class LockSampler {
  readonly processes: LongestWait = { ms: 0, what: '' };
  readonly migrator: LongestWait = { ms: 0, what: '' };
  /** Looks, and the longest time between two: what is shorter may be missed. */
  looks = 0;
  longestGapMs = 0;
  private stopped = false;
  private readonly running: Promise<void>;

  constructor(private readonly db: Pool) {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  private async run(): Promise<void> {
    let before = performance.now();
    while (!this.stopped) {
      const { rows } = await this.db.query<{
        migrator: boolean;
        mode: string;
        relation: string;
        ms: number;
        query: string;
      }>(WAITING);
      for (const { migrator, mode, relation, ms, query } of rows) {
        const longest = migrator ? this.migrator : this.processes;
        if (ms <= longest.ms) continue;
        longest.ms = ms;
        longest.what = `${mode} on ${relation}: ${query.replaceAll(/\s+/g, ' ').trim()}`;
      }
      this.looks += 1;
      this.longestGapMs = Math.max(this.longestGapMs, performance.now() - before);
      before = performance.now();
      await pause(EVERY_MS);
    }
  }
}
