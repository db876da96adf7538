import { Injectable } from '@nestjs/common';
import { query, type Statement, Transactions } from '../database/transactions.js';
import { HourlyRemoval } from '../loops/hourly-removal.js';
import { Metrics } from '../telemetry/metrics.js';

/** The most rows that one statement removes or looks at, in some tens of milliseconds. */
const ROWS = 1_000;

/** $1 the most rows. */
const DELETE_EXPIRED: Statement = {
  name: 'delete_expired_do_not_call',
  text: 'SELECT delete_expired_do_not_call($1) AS removed',
};

/** $1 and $2 the position to begin after, $3 the most rows. The instant stays text, because it has microseconds. */
const DELETE_OLD: Statement = {
  name: 'delete_old_suppression_entries',
  text: `
    SELECT last_at::text AS at, last_id::text AS id, removed
    FROM delete_old_suppression_entries($1::text::timestamptz, $2, $3)`,
};

interface LookedAtRow extends Record<string, unknown> {
  at: string;
  id: string;
  removed: number;
}

/** Removes Do Not Call entries that have expired, and entries of the ledger whose term as proof is over. */
@Injectable()
export class SuppressionRetention extends HourlyRemoval {
  constructor(
    private readonly transactions: Transactions,
    metrics: Metrics,
  ) {
    super('Do Not Call entries', metrics);
  }

  async removeOld(signal: AbortSignal): Promise<number> {
    const expired = await this.removeExpired(signal);
    return expired + (await this.removeOldEntries(signal));
  }

  private async removeExpired(signal: AbortSignal): Promise<number> {
    let total = 0;
    for (let removed = ROWS; removed === ROWS && !signal.aborted; total += removed) {
      const [row] = await this.transactions.autocommit<{ removed: number }>(query(DELETE_EXPIRED, ROWS));
      removed = row?.removed ?? 0;
    }
    return total;
  }

  private async removeOldEntries(signal: AbortSignal): Promise<number> {
    let total = 0;
    for (let [at, id] = ['-infinity', '0']; !signal.aborted;) {
      const [last] = await this.transactions.autocommit<LookedAtRow>(query(DELETE_OLD, at, id, ROWS));
      if (last === undefined) break;
      total += last.removed;
      ({ at, id } = last);
    }
    return total;
  }
}
