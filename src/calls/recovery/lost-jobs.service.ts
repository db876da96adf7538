import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { query, Transactions } from '../../database/transactions.js';
import { CallQueue } from '../../queue/call-queue.js';
import { FIND_UNWOKEN, WAKE_AGAIN } from './sweep.sql.js';

/** Due calls that one run looks at; asking Redis about so many takes it a few milliseconds. */
const LOOKED_AT = 2_000;

interface DueRow {
  id: string;
  generation: number;
  team_id: string;
  /** With microseconds, which a `Date` would lose: a batch of one instant would be found again for ever. */
  runs_at: string;
  overdue: boolean;
  backed_off: boolean;
  overlong: boolean;
}

/** A call to wake. `inVain`: its wake-up before was delivered, and the call is pending all the same. */
interface LostWakeUp {
  row: DueRow;
  inVain: boolean;
}

/** Before every call. */
const BEGINNING = { runs_at: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

/** Wakes due calls whose wake-up was lost, and leaves alone those that are merely far back in the queue. */
@Injectable()
export class LostJobsService {
  /** Each run continues where the last one ended, so that every call of a long backlog is checked. */
  private place: Pick<DueRow, 'runs_at' | 'id'> = BEGINNING;

  constructor(
    private readonly transactions: Transactions,
    private readonly queue: CallQueue,
    private readonly config: Config,
  ) {}

  /** Without Redis nothing could be woken, and counting wake-ups would only put the next one off. @returns how many. */
  async wake(): Promise<number> {
    if (!this.queue.available) return 0;
    const { runs_at: after, id } = this.place;
    const due = await this.transactions.autocommit<DueRow & Record<string, unknown>>(
      query(FIND_UNWOKEN, this.config.sweeperGraceMs, after, id, LOOKED_AT),
    );
    this.place = due.length < LOOKED_AT ? BEGINNING : (due.at(-1) ?? BEGINNING);
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
   * Redis is believed that a job still waits, but not for ever. Only wake-ups that were delivered put the next one off:
   * those that Redis lost, or whose firing Postgres did not let be decided, come again after the grace alone.
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
