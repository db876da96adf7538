import { setTimeout as pause } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { PeriodicLoop } from '../../loops/periodic-loop.js';
import { Config } from '../../config/config.js';
import { query, Transactions } from '../../database/transactions.js';
import { describeError } from '../../telemetry/describe-error.js';
import { Metrics } from '../../telemetry/metrics.js';
import { REMOVE_OLD_EVENTS, TEAMS_WITH_OLD_EVENTS } from './outbox.sql.js';

/** The pause between two runs. It may be long, because events are kept for days. */
const PAUSE_MS = 600_000;
/**
 * One statement removes about this many events, in some tens of milliseconds. It also removes all events that
 * were numbered together with the last of them.
 */
const BATCH = 1_000;
const TEAMS = 1_000;
/**
 * The pause after a statement is this many times as long as the statement took. So other work can run most of
 * the time.
 */
const PAUSES_PER_STATEMENT = 2;
const SHORTEST_PAUSE_MS = 20;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Removes events whose retention is over, each team's in the order of their numbers. */
@Injectable()
export class EventRetentionService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(EventRetentionService.name);
  private loop: PeriodicLoop | undefined;

  constructor(
    private readonly transactions: Transactions,
    private readonly config: Config,
    private readonly metrics: Metrics,
  ) {}

  onApplicationBootstrap(): void {
    const pauseMs = Math.max(PAUSE_MS, this.config.sweeperIntervalMs);
    this.loop = new PeriodicLoop((signal) => this.runOnce(signal), pauseMs);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop?.stop();
  }

  /**
   * Removes all events past their retention, and stops early if `signal` aborts. A statement removes nothing
   * while another process removes events.
   * @returns how many it removed.
   */
  async removeEvents(signal: AbortSignal): Promise<number> {
    let removed = 0;
    let after: string | undefined = FIRST_ID;
    while (after !== undefined && !signal.aborted) {
      const teams: { id: string }[] = await this.transactions.autocommit<{ id: string }>(
        query(TEAMS_WITH_OLD_EVENTS, after, TEAMS),
      );
      for (const { id } of teams) removed += await this.removeEventsOf(id, signal);
      after = teams.length < TEAMS ? undefined : teams.at(-1)?.id;
    }
    if (removed > 0) this.logger.log({ message: 'old events removed', events: removed });
    return removed;
  }

  private async runOnce(signal: AbortSignal): Promise<void> {
    try {
      await this.removeEvents(signal);
    } catch (error) {
      this.metrics.sweepFailed();
      this.logger.error(`old events not removed: ${describeError(error)}`);
    }
  }

  private async removeEventsOf(teamId: string, signal: AbortSignal): Promise<number> {
    let total = 0;
    for (let removed = BATCH; removed >= BATCH && !signal.aborted;) {
      const startedAt = performance.now();
      const [row] = await this.transactions.autocommit<{ removed: number }>(
        query(REMOVE_OLD_EVENTS, teamId, BATCH),
      );
      removed = row?.removed ?? 0;
      total += removed;
      this.metrics.rowsRemoved('events', removed);
      const restMs = Math.max(SHORTEST_PAUSE_MS, (performance.now() - startedAt) * PAUSES_PER_STATEMENT);
      if (removed >= BATCH) await pause(restMs, undefined, { signal }).catch(() => undefined);
    }
    return total;
  }
}
