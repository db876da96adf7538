import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { query, Transactions } from '../../database/transactions.js';
import { CallQueue } from '../../queue/call-queue.js';
import { FIND_WAKE_UPS } from './sweep.sql.js';

const BATCH = 500;

interface WakeUpRow {
  id: string;
  generation: number;
  team_id: string;
  /** With microseconds, which a `Date` would lose: a batch of calls of one instant would be found again in every run. */
  runs_at: string;
  due_in_ms: number | null;
}

/** Before every call. */
const BEGINNING = { runs_at: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

/**
 * Restores every wake-up after Redis was emptied, replaced or restarted: due ones at once, without the sweeper's grace, and
 * scheduled ones with their delay. Rows and existing jobs do not change, so a repetition is harmless.
 */
@Injectable()
export class RedisLossService {
  private readonly logger = new Logger(RedisLossService.name);

  constructor(
    private readonly transactions: Transactions,
    private readonly queue: CallQueue,
  ) {}

  /**
   * A run that could not end is repeated as a whole by the next one.
   *
   * @returns how many due calls it woke. @throws Postgres' error.
   */
  async restore(signal: AbortSignal): Promise<number> {
    if (!this.queue.available || !(await this.queue.epoch.begin())) return 0;
    const restored = { due: 0, later: 0 };
    let place: Pick<WakeUpRow, 'runs_at' | 'id'> | undefined = BEGINNING;
    while (place !== undefined) {
      const startedAt = performance.now();
      const rows: WakeUpRow[] = await this.transactions.autocommit<WakeUpRow & Record<string, unknown>>(
        query(FIND_WAKE_UPS, place.runs_at, place.id, BATCH),
      );
      const added = await this.queue.restore(
        rows.flatMap(({ id, generation, team_id: teamId, due_in_ms: delayMs }) =>
          delayMs === null ? [] : [{ job: { callRequestId: id, generation, teamId }, delayMs }],
        ),
      );
      if (added === null) return restored.due;
      restored.due += added.filter(({ delayMs }) => delayMs === 0).length;
      restored.later += added.filter(({ delayMs }) => delayMs > 0).length;
      place = rows.length < BATCH ? undefined : rows.at(-1);
      if (signal.aborted || !(await this.queue.epoch.goOn())) return restored.due;
      // Pauses, so that half of the time of Redis and of this process is left to other work.
      if (place !== undefined) {
        await pause(performance.now() - startedAt, undefined, { signal }).catch(() => undefined);
      }
    }
    await this.queue.epoch.complete();
    if (restored.due + restored.later > 0) {
      this.logger.warn({ message: 'Redis had lost jobs: those of pending calls are back', ...restored });
    }
    return restored.due;
  }
}
