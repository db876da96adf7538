import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { query, type Statement, Transactions } from '../database/transactions.js';
import { HourlyRemoval } from '../loops/hourly-removal.js';
import { Metrics } from '../telemetry/metrics.js';

/** The most ends that one statement removes with their consents. */
const ENDS = 500;

/** $1 days, $2 the most ends. */
const DELETE_OLD_CONSENTS: Statement = {
  name: 'delete_old_consents',
  text: 'SELECT delete_old_consents($1, $2) AS removed',
};

/** Removes consents whose proof is no longer needed. */
@Injectable()
export class ConsentRetention extends HourlyRemoval {
  constructor(
    private readonly transactions: Transactions,
    private readonly config: Config,
    metrics: Metrics,
  ) {
    super('consents', metrics);
  }

  async removeOld(signal: AbortSignal): Promise<number> {
    let total = 0;
    for (let removed = 1; removed > 0 && !signal.aborted; total += removed) {
      const removing = query(DELETE_OLD_CONSENTS, this.config.consentRetentionDays, ENDS);
      const [row] = await this.transactions.autocommit<{ removed: number }>(removing);
      removed = row?.removed ?? 0;
    }
    return total;
  }
}
