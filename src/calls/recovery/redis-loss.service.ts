import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { query, Transactions } from '../../database/transactions.js';
import { CallQueue } from '../../queue/call-queue.js';
import { FIND_WAKE_UPS } from './sweep.sql.js';

const PAGE_SIZE = 500;

interface WakeUpRow {
  id: string;
  generation: number;
  team_id: string;
  /**
   * As text: a `Date` has no microseconds. With a rounded cursor, the next page could return the same calls
   * again.
   */
  runs_at: string;
  due_in_ms: number | null;
}

/** A cursor before the first call. */
const BEGINNING = { runs_at: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

/**
 * Restores missing wake-ups after Redis was emptied, replaced or restarted. Due wake-ups are added at once,
 * without the sweeper's grace, and scheduled ones with their delay. Rows and existing jobs do not change, so
 * a repetition is harmless.
 */
@Injectable()
export class RedisLossService {
  private readonly logger = new Logger(RedisLossService.name);

  constructor(
    private readonly transactions: Transactions,
    private readonly queue: CallQueue,
  ) {}

  /**
   * If a run does not finish, a later run starts from the beginning.
   *
   * @returns how many due calls it woke. @throws Postgres' error.
   */
  async restore(signal: AbortSignal): Promise<number> {
    if (!this.queue.available || !(await this.queue.epoch.begin())) return 0;
    const restored = { due: 0, later: 0 };
    let cursor: Pick<WakeUpRow, 'runs_at' | 'id'> | undefined = BEGINNING;
    while (cursor !== undefined) {
      const startedAt = performance.now();
      const rows: WakeUpRow[] = await this.transactions.autocommit<WakeUpRow & Record<string, unknown>>(
        query(FIND_WAKE_UPS, cursor.runs_at, cursor.id, PAGE_SIZE),
      );
      const added = await this.queue.restore(
        rows.flatMap(({ id, generation, team_id: teamId, due_in_ms: delayMs }) =>
          delayMs === null ? [] : [{ job: { callRequestId: id, generation, teamId }, delayMs }],
        ),
      );
      if (added === null) return restored.due;
      restored.due += added.filter(({ delayMs }) => delayMs === 0).length;
      restored.later += added.filter(({ delayMs }) => delayMs > 0).length;
      cursor = rows.length < PAGE_SIZE ? undefined : rows.at(-1);
      if (signal.aborted || !(await this.queue.epoch.goOn())) return restored.due;
      // Pauses for as long as the page took, so that other work has half of the time of Redis and of this
      // process.
      if (cursor !== undefined) {
        await pause(performance.now() - startedAt, undefined, { signal }).catch(() => undefined);
      }
    }
    await this.queue.epoch.complete();
    if (restored.due + restored.later > 0) {
      this.logger.warn({
        message: 'Redis had lost jobs; the missing jobs of pending calls were added again',
        ...restored,
      });
    }
    return restored.due;
  }
}
