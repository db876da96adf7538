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
/** A transaction numbers at most this many events, and creates a delivery of each for up to 20 endpoints. */
export const LARGEST_BATCH = 1_000;
/**
 * A transaction should take less than this, in milliseconds. After one that took longer, batches are smaller. So
 * the time limit of statements is not reached, and events that come later do not wait for a large batch.
 */
const LONG_MS = 250;
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
  private batch = LARGEST_BATCH;

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
    for (let isFull = true; isFull && !signal.aborted;) {
      const { batch } = this;
      const row = await this.timed(() =>
        this.transactions.autocommit<NumberedRow>(query(NUMBER_EVENTS, batch)),
      );
      const numbered = row?.numbered ?? 0;
      isFull = numbered >= batch;
      total += numbered;
      this.metrics.eventsNumbered(numbered);
      if (row?.woken) this.webhooks.wake(row.woken);
    }
    return total;
  }

  /** Numbers a batch, and sets the size of the next one by the time that this one takes. */
  private async timed(number: () => Promise<NumberedRow[]>): Promise<NumberedRow | undefined> {
    const startedAt = performance.now();
    try {
      const [row] = await number();
      return row;
    } finally {
      // Also after a statement that was canceled because it took too long.
      this.batch = nextBatch(this.batch, performance.now() - startedAt);
    }
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

/** The size of the next batch, after one of `batch` events that took `ms`. */
export function nextBatch(batch: number, ms: number): number {
  if (ms <= LONG_MS) return Math.min(LARGEST_BATCH, batch * 2);
  return Math.max(1, Math.floor(batch / Math.max(2, ms / LONG_MS)));
}
