import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { query, Transactions } from '../../database/transactions.js';
import { CallQueue } from '../../queue/call-queue.js';
import { FIND_UNWOKEN, WAKE_AGAIN } from './sweep.sql.js';

/** The most due calls that one run checks. Redis answers for this many within a few milliseconds. */
const PAGE_SIZE = 2_000;

interface DueRow {
  id: string;
  generation: number;
  team_id: string;
  /**
   * As text: a `Date` has no microseconds. With a rounded cursor, the next page could return the same calls
   * again.
   */
  runs_at: string;
  overdue: boolean;
  backed_off: boolean;
  /** The last wake-up is so old that the call is woken again even if the job still waits. */
  overlong: boolean;
}

/** A call to wake. `inVain`: its last wake-up was not lost, but the call is still pending. */
interface LostWakeUp {
  row: DueRow;
  inVain: boolean;
}

/** A cursor before the first call. */
const BEGINNING = { runs_at: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

/**
 * Wakes due calls whose wake-up was lost or in vain. A wake-up whose job still waits in the queue counts as
 * in vain only after a long time.
 */
@Injectable()
export class LostJobsService {
  /** Each run continues where the last one ended, so that every call of a long backlog is checked. */
  private cursor: Pick<DueRow, 'runs_at' | 'id'> = BEGINNING;

  constructor(
    private readonly transactions: Transactions,
    private readonly queue: CallQueue,
    private readonly config: Config,
  ) {}

  /**
   * If Redis is unavailable, no call is woken. Otherwise Postgres would record a wake-up whose job Redis never
   * received. That record would delay the next wake-up.
   *
   * @returns how many calls it woke.
   */
  async wake(): Promise<number> {
    if (!this.queue.available) return 0;
    const { runs_at: after, id } = this.cursor;
    const due = await this.transactions.autocommit<DueRow & Record<string, unknown>>(
      query(FIND_UNWOKEN, this.config.sweeperGraceMs, after, id, PAGE_SIZE),
    );
    this.cursor = due.length < PAGE_SIZE ? BEGINNING : (due.at(-1) ?? BEGINNING);
    const lost = await this.lostOf(due.filter(({ overdue }) => overdue));
    if (lost.length === 0) return 0;
    const woken = await this.transactions.autocommit<DueRow & Record<string, unknown>>(
      query(
        WAKE_AGAIN,
        lost.map(({ row }) => row.id),
        lost.map(({ row }) => row.generation),
        lost.map(({ inVain }) => inVain),
      ),
    );
    await this.queue.wakeAll(
      woken.map((row) => ({ callRequestId: row.id, generation: row.generation, teamId: row.team_id })),
    );
    return woken.length;
  }

  /**
   * If a job still waits in Redis, its call is woken again only when the row is `overlong`. A wake-up in vain
   * doubles the time until the next wake-up. A wake-up that Redis lost is repeated after the grace. So is a
   * wake-up whose firing failed because of an error of Postgres.
   */
  private async lostOf(overdue: DueRow[]): Promise<LostWakeUp[]> {
    if (overdue.length === 0) return [];
    const states = await this.queue.statesOf(
      overdue.map(({ id, generation }) => ({ callRequestId: id, generation })),
    );
    if (states === null) return [];
    return overdue.flatMap((row, index): LostWakeUp[] => {
      switch (states[index] ?? 'lost') {
        case 'live':
          return row.overlong ? [{ row, inVain: true }] : [];
        case 'delivered':
          return row.backed_off ? [{ row, inVain: true }] : [];
        case 'lost':
          return [{ row, inVain: false }];
      }
    });
  }
}
