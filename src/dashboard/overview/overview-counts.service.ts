import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { describeError } from '../../telemetry/describe-error.js';
import {
  COUNTED_AT_ONCE,
  type CountRow,
  ENDED,
  ENDED_BEFORE,
  type EndedRow,
  PENDING,
  type PendingRow,
  UPCOMING,
  type UpcomingRow,
} from './overview.sql.js';

/** How long a full count is shown before the next one begins. */
const FRESH_MS = 10_000;
/** How long a full count is shown at most, while the next one runs. */
const KEPT_MS = 120_000;
/** The most full counts that are kept. */
const MOST_KEPT = 100;
/** A full count stops at this many calls of a kind. */
const MOST_COUNTED = 1_000_000;

/**
 * Which calls are counted: those of one team or of all teams. Ended calls are counted since an instant, and
 * upcoming calls by the hours that begin at `starts`.
 */
export interface CountQuestion {
  now: Date;
  teamId: string | null;
  since: Date;
  starts: readonly Date[];
  /** The end of the last hour. */
  end: Date;
}

export interface Counts {
  pending: PendingRow[];
  upcoming: UpcomingRow[];
  ended: CountRow[];
  /** Of yesterday up to the same time; null: they are too many to be counted for a page. */
  endedYesterday: CountRow[] | null;
  /** Whether there may be more calls than were counted. */
  morePending: boolean;
  moreUpcoming: boolean;
  moreEnded: boolean;
  /** How long ago they were counted; 0 where they were counted for this page. */
  ageMs: number;
}

interface FullCount {
  counts: Counts;
  at: number;
}

/**
 * Counts that take longer the more calls there are. For a page, up to {@link COUNTED_AT_ONCE} calls of each
 * kind are counted. If there are more, a full count begins in the background, and the page shows what was
 * counted. Later pages show the last full count, and begin another one if it is old. One full count runs at a
 * time in a process.
 */
@Injectable()
export class OverviewCounts implements OnModuleDestroy {
  private readonly logger = new Logger(OverviewCounts.name);
  private readonly kept = new Map<string, FullCount>();
  private running: Promise<void> | null = null;

  constructor(private readonly dataSource: DataSource) {}

  async of(question: CountQuestion): Promise<Counts> {
    const key = JSON.stringify([question.teamId, question.since, question.starts]);
    const kept = this.kept.get(key);
    const ageMs = kept === undefined ? Infinity : performance.now() - kept.at;
    if (kept !== undefined && ageMs < KEPT_MS) {
      if (ageMs >= FRESH_MS) this.beginFullCount(key, question);
      return { ...kept.counts, ageMs };
    }
    this.kept.delete(key);
    const { most, ...counts } = await this.count(question, COUNTED_AT_ONCE);
    if (most >= COUNTED_AT_ONCE) this.beginFullCount(key, question);
    return counts;
  }

  async onModuleDestroy(): Promise<void> {
    await this.running;
  }

  private beginFullCount(key: string, question: CountQuestion): void {
    this.running ??= this.countAll(key, question).finally(() => (this.running = null));
  }

  private async countAll(key: string, question: CountQuestion): Promise<void> {
    try {
      const { most, ...counts } = await this.count(question, MOST_COUNTED);
      this.kept.delete(key);
      // The next page can count this few calls itself.
      if (most < COUNTED_AT_ONCE) return;
      this.kept.set(key, { counts, at: performance.now() });
      const [oldest] = this.kept.keys();
      if (this.kept.size > MOST_KEPT && oldest !== undefined) this.kept.delete(oldest);
    } catch (error) {
      this.logger.warn(`The calls could not be counted: ${describeError(error)}`);
    }
  }

  private async count(question: CountQuestion, limit: number): Promise<Counts & { most: number }> {
    const { now, teamId, since, starts, end } = question;
    const [pending, upcoming, ended, yesterday] = await Promise.all([
      this.dataSource.query<PendingRow[]>(PENDING, [now, teamId, limit]),
      this.dataSource.query<UpcomingRow[]>(UPCOMING, [now, teamId, starts, end, limit]),
      this.dataSource.query<EndedRow[]>(ENDED, [since, teamId, limit]),
      this.dataSource.query<EndedRow[]>(ENDED_BEFORE, [earlier(since), teamId, limit, earlier(now)]),
    ]);
    return {
      pending,
      upcoming,
      ended: ended.filter(({ own }) => own),
      endedYesterday: sumOf(yesterday) >= limit ? null : yesterday.filter(({ own }) => own),
      morePending: sumOf(pending) >= limit,
      moreUpcoming: sumOf(upcoming) >= limit,
      moreEnded: sumOf(ended) >= limit,
      ageMs: 0,
      most: Math.max(sumOf(pending), sumOf(upcoming), sumOf(ended)),
    };
  }
}

const DAY_MS = 86_400_000;

const earlier = (at: Date): Date => new Date(at.getTime() - DAY_MS);

function sumOf(rows: { calls: number }[]): number {
  return rows.reduce((sum, { calls }) => sum + calls, 0);
}
