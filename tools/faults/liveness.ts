import { type Pool } from 'pg';
import { pause } from '../services/run.js';
import { type Violation } from './violation.js';

/** The least time of a beat. */
const BEAT_MS = 100;
/** After so long without a beat, the processes do not work at all. */
const PATIENCE_MS = 180_000;

/** What the product owes once no fault happens. */
export interface Owed {
  kind: 'result' | 'wake-up';
  /** Changes when the thing moves. */
  key: string;
  /** Of the enrollment or the call. */
  id: string;
}

/** In beats: 10 seconds for the result of a call, 15 for a wake-up. Deliveries have `Webhooks.measureDelay`. */
export const BOUNDS: Readonly<Record<Owed['kind'], number>> = { result: 100, 'wake-up': 150 };

/**
 * Results of ended calls that their enrollments do not know of, and due calls without a wake-up. A call that
 * waits for a concurrency slot is not owed a wake-up, and one that was woken again waits in the queue.
 */
const OWED = `
  SELECT 'result' AS kind, concat_ws(' ', e.id, r.id) AS key, e.id
  FROM enrollments e JOIN campaigns p ON p.id = e.campaign_id AND p.status = 'active'
  CROSS JOIN LATERAL (
    SELECT d.call_request_id FROM enrollment_dials d WHERE d.enrollment_id = e.id ORDER BY d.seq DESC LIMIT 1) newest
  JOIN call_requests r ON r.id = newest.call_request_id
  WHERE e.status = 'active' AND e.waiting_for = 'in_call' AND r.ended_at IS NOT NULL
  UNION ALL
  SELECT 'wake-up', concat_ws(' ', r.id, r.generation, r.runs_at, r.woken_at), r.id FROM call_requests r
  WHERE r.status = 'queued' AND r.enrollment_id IS NULL AND r.wakes = 0 AND r.waiting_since IS NULL
    AND greatest(r.runs_at, r.woken_at) <= outdial_now()`;

/**
 * Counts for how many beats each thing is owed. Pure. A beat is a round of answers of all processes, so that a
 * machine that is busy or stands still has fewer beats in the same time.
 */
export class Beats {
  private readonly since = new Map<string, number>();
  private readonly told = new Set<string>();
  private count = 0;

  /** @param watched whose lateness is of interest; unset: everything. */
  constructor(private readonly watched?: ReadonlySet<string>) {}

  /** A beat is over. @returns what has become late with it. */
  beat(owed: readonly Owed[]): Owed[] {
    this.count += 1;
    const keys = new Set(owed.map(({ key }) => key));
    for (const key of this.since.keys()) if (!keys.has(key)) this.since.delete(key);
    return owed.filter(({ kind, key }) => {
      if (this.watched !== undefined && !this.watched.has(key)) return false;
      const since = this.since.get(key);
      if (since === undefined) this.since.set(key, this.count);
      if (since === undefined || this.count - since < BOUNDS[kind] || this.told.has(key)) return false;
      this.told.add(key);
      return true;
    });
  }

  /** Whether something that is not late yet is owed. */
  get isWaiting(): boolean {
    return [...this.since.keys()].some((key) => !this.told.has(key));
  }
}

/** Whether what was accepted moves while no fault happens. */
export class Liveness {
  readonly late: Violation[] = [];

  /** @param liveUrls answer once their process does some work. */
  constructor(
    private readonly db: Pool,
    private readonly liveUrls: readonly string[],
  ) {}

  /** Waits until what is owed now has moved, or is late. @param after what has happened. */
  async settle(after: string): Promise<void> {
    const owed = await this.owed();
    const beats = new Beats(new Set(owed.map(({ key }) => key)));
    do await this.observe(beats, after);
    while (beats.isWaiting);
  }

  /** Watches for so many beats, also what becomes owed meanwhile. */
  async watch(after: string, count: number): Promise<void> {
    const beats = new Beats();
    for (let beat = 0; beat < count; beat += 1) await this.observe(beats, after);
  }

  private async observe(beats: Beats, after: string): Promise<void> {
    await this.beat();
    for (const { kind, id } of beats.beat(await this.owed())) {
      const bound = (BOUNDS[kind] * BEAT_MS) / 1_000;
      this.late.push({ kind: `${kind} late`, id, detail: `did not move in ${bound} s after ${after}` });
    }
  }

  private async owed(): Promise<Owed[]> {
    return (await this.db.query<Owed>(OWED)).rows;
  }

  /** Resolves when every process, and Postgres, has done some work. */
  private async beat(): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      await pause(BEAT_MS);
      const answers = this.liveUrls.map(async (url) => {
        const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
        await response.text();
      });
      const [failed] = (await Promise.allSettled(answers)).filter(({ status }) => status === 'rejected');
      if (failed === undefined) return;
      if (Date.now() > deadline) throw new Error('a process does not answer, although no fault happens');
    }
  }
}
