import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Config } from '../config/config.js';
import { query, type Statement, Transactions } from '../database/transactions.js';
import { PeriodicLoop } from '../loops/periodic-loop.js';
import { describeError } from '../telemetry/describe-error.js';
import { Metrics } from '../telemetry/metrics.js';

/** The pause between two runs. It may be long, because rows are kept for months. */
const PAUSE_MS = 3_600_000;
/** The most rows that one statement removes, in some tens of milliseconds. */
const ROWS = 1_000;

/** $1 days, $2 the most rows. */
const DELETE_OLD_AUDIT: Statement = {
  name: 'delete_old_audit',
  text: 'SELECT delete_old_audit($1, $2) AS removed',
};

/** Removes rows of the audit log whose retention is over. */
@Injectable()
export class AuditRetention implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(AuditRetention.name);
  private loop: PeriodicLoop | undefined;

  constructor(
    private readonly transactions: Transactions,
    private readonly config: Config,
    private readonly metrics: Metrics,
  ) {}

  onApplicationBootstrap(): void {
    this.loop = new PeriodicLoop((signal) => this.runOnce(signal), PAUSE_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop?.stop();
  }

  /** @returns how many rows it removed. An abort of `signal` ends the removal early. */
  async removeOld(signal: AbortSignal): Promise<number> {
    let total = 0;
    for (let removed = ROWS; removed === ROWS && !signal.aborted; total += removed) {
      const days = this.config.auditRetentionDays;
      const [row] = await this.transactions.autocommit<{ removed: number }>(
        query(DELETE_OLD_AUDIT, days, ROWS),
      );
      removed = row?.removed ?? 0;
    }
    return total;
  }

  private async runOnce(signal: AbortSignal): Promise<void> {
    try {
      await this.removeOld(signal);
    } catch (error) {
      this.metrics.sweepFailed();
      this.logger.error(`old rows of the audit log not removed: ${describeError(error)}`);
    }
  }
}
