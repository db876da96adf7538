import { setTimeout as pause } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { PeriodicLoop } from '../../loops/periodic-loop.js';
import { query, Transactions } from '../../database/transactions.js';
import { describeError } from '../../telemetry/describe-error.js';
import { WebhookWakeUps } from '../../queue/wake-ups.js';
import { Metrics } from '../../telemetry/metrics.js';
import { NUMBER_EVENTS, type NumberedRow } from './outbox.sql.js';

/**
 * The pause between two runs. Without a backlog, an event is numbered at most about this long after its
 * commit.
 */
const PAUSE_MS = 200;
/**
 * A transaction numbers at most this many events of each range of `event_gaps`, within tens of milliseconds.
 */
const BATCH = 1_000;
const PAUSE_AFTER_FAILURE_MS = 2_000;

/**
 * Numbers committed events, so that readers see them. The sequencer runs in every worker; an advisory lock
 * allows one numbering transaction at a time. The sequencer needs neither Redis nor notifications. If it
 * crashes, the next run finds the events without numbers.
 */
@Injectable()
export class SequencerService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(SequencerService.name);
  private loop: PeriodicLoop | undefined;

  constructor(
    private readonly transactions: Transactions,
    private readonly metrics: Metrics,
    private readonly webhooks: WebhookWakeUps,
  ) {}

  onApplicationBootstrap(): void {
    this.loop = new PeriodicLoop((signal) => this.runOnce(signal), PAUSE_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop?.stop();
  }

  /**
   * Numbers all committed events, unless `signal` aborts or another process holds the lock.
   * @returns how many it numbered.
   */
  async run(signal: AbortSignal): Promise<number> {
    let total = 0;
    for (let numbered = BATCH; numbered >= BATCH && !signal.aborted; total += numbered) {
      const [row] = await this.transactions.autocommit<NumberedRow>(query(NUMBER_EVENTS, BATCH));
      numbered = row?.numbered ?? 0;
      this.metrics.eventsNumbered(numbered);
      if (row?.woken) this.webhooks.wake(row.woken);
    }
    return total;
  }

  private async runOnce(signal: AbortSignal): Promise<void> {
    try {
      await this.run(signal);
    } catch (error) {
      this.logger.error(`events not numbered: ${describeError(error)}`);
      await pause(PAUSE_AFTER_FAILURE_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
