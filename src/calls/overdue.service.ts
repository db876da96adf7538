import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { query, Transactions } from '../database/transactions.js';
import { dialJobId } from '../queue/call-jobs.js';
import { CallQueue } from '../queue/call-queue.js';
import { FIND_OVERDUE, WAKE_OVERDUE } from './sql/sweep.sql.js';

/** Due calls that one run looks at; asking Redis about so many takes it a few milliseconds. */
const LOOKED_AT = 2_000;

interface DueRow {
  id: string;
  generation: number;
  team_id: string;
  runs_at: Date;
  overdue: boolean;
  overlong: boolean;
}

/** Before every call. */
const BEGINNING = { runs_at: new Date(0), id: '00000000-0000-0000-0000-000000000000' };

/** Wakes due calls whose wake-up was lost, and leaves alone those that are merely far back in the queue. */
@Injectable()
export class OverdueService {
  /** Each run goes on where the last one ended, so that a long backlog hides nobody. */
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
      query(FIND_OVERDUE, this.config.sweeperGraceMs, after, id, LOOKED_AT),
    );
    this.place = due.length < LOOKED_AT ? BEGINNING : (due.at(-1) ?? BEGINNING);
    const lost = await this.lostOf(due.filter(({ overdue }) => overdue));
    if (lost.length === 0) return 0;
    const woken = await this.transactions.autocommit<DueRow & Record<string, unknown>>(
      query(
        WAKE_OVERDUE,
        lost.map((row) => row.id),
        lost.map((row) => row.generation),
      ),
    );
    await this.queue.wakeAll(
      woken.map((row) => ({ callRequestId: row.id, generation: row.generation, teamId: row.team_id })),
    );
    return woken.length;
  }

  /** Redis is believed that a job still waits, but not for ever. */
  private async lostOf(overdue: DueRow[]): Promise<DueRow[]> {
    if (overdue.length === 0) return [];
    const jobOf = (row: DueRow) => ({ callRequestId: row.id, generation: row.generation });
    const inHand = await this.queue.inHand(overdue.map(jobOf));
    if (inHand === null) return [];
    return overdue.filter((row) => row.overlong || !inHand.has(dialJobId(jobOf(row))));
  }
}
