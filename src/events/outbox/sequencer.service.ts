import { setTimeout as pause } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { RepairLoop } from '../../calls/recovery/repair-loop.js';
import { query, Transactions } from '../../database/transactions.js';
import { describeError } from '../../http/describe-error.js';
import { WebhookWakeUps } from '../../queue/wake-ups.js';
import { Metrics } from '../../telemetry/metrics.js';
import { NUMBER_EVENTS, type NumberedRow } from './outbox.sql.js';

/** How long an event waits for its number at most, if nothing else is to be done. */
const PAUSE_MS = 200;
/** Events numbered in one transaction: it takes some tens of milliseconds. */
const BATCH = 1_000;
const PAUSE_AFTER_FAILURE_MS = 2_000;

/**
 * Numbers committed events, so that readers see them. It runs in every worker; a lock of the database lets one transaction at a time
 * number. It needs neither Redis nor notifications: a crash leaves events without numbers, and the next run finds them.
 */
@Injectable()
export class SequencerService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(SequencerService.name);
  private loop: RepairLoop | undefined;

  constructor(
    private readonly transactions: Transactions,
    private readonly metrics: Metrics,
    private readonly webhooks: WebhookWakeUps,
  ) {}

  onApplicationBootstrap(): void {
    this.loop = new RepairLoop((signal) => this.runOnce(signal), PAUSE_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop?.stop();
  }

  /** @returns how many events it numbered: all committed ones, unless `signal` aborts or another process numbers. */
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
