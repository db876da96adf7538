import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { query, type Statement, Transactions } from '../database/transactions.js';
import { HourlyRemoval } from '../loops/hourly-removal.js';
import { Metrics } from '../telemetry/metrics.js';

/** The most rows that one statement removes, in some tens of milliseconds. */
const ROWS = 1_000;

/** $1 days, $2 the most rows. */
const DELETE_OLD_AUDIT: Statement = {
  name: 'delete_old_audit',
  text: 'SELECT delete_old_audit($1, $2) AS removed',
};

/** Removes rows of the audit log whose retention is over. */
@Injectable()
export class AuditRetention extends HourlyRemoval {
  constructor(
    private readonly transactions: Transactions,
    private readonly config: Config,
    metrics: Metrics,
  ) {
    super('rows of the audit log', metrics);
  }

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
}
