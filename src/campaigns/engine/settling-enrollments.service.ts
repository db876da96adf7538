import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { query, Transactions } from '../../database/transactions.js';
import { describeError } from '../../telemetry/describe-error.js';
import { BlockedCampaigns } from './blocked-campaigns.js';
import { FIND_SETTLING_CAMPAIGNS, type SettlingRow } from './due-enrollments.sql.js';
import { type Refusals, Settlement } from './settlement.service.js';

/** The most enrollments of one transaction, and so the most campaigns. */
const BATCH = 100;
/** After a batch of this size, the loop pauses: more calls end meanwhile, and their batch costs no more. */
const SMALL_BATCH = BATCH / 2;
/** Batches of unseen enrollments in one interval. They compete with dials and settlements for the machine. */
const UNSEEN_BATCHES = 3;

/**
 * Settles enrollments of all campaigns: apart from dials, so that no number of dials that wait delays what a call
 * has caused. Also decides those once whose dials are due and have to wait, so that what they wait for is known.
 */
@Injectable()
export class SettlingEnrollments {
  private readonly logger = new Logger(SettlingEnrollments.name);
  /** When unseen enrollments were last decided, by the monotonic clock. */
  private unseenAt = -Infinity;

  constructor(
    private readonly transactions: Transactions,
    private readonly settlement: Settlement,
    private readonly blocked: BlockedCampaigns,
    private readonly config: Config,
  ) {}

  /**
   * Settles until a batch is small, or until `signal` aborts. Once in an interval, it then decides some unseen
   * enrollments.
   *
   * @returns how many it has settled; 0: nothing is left. @throws the database's error.
   */
  async run(signal: AbortSignal): Promise<number> {
    let total = 0;
    for (let settled = BATCH; settled > SMALL_BATCH && !signal.aborted; total += settled) {
      const due = await this.find(this.blocked.recent());
      settled = await this.batch(idsOf(due, 'settles'));
      const isSeeing = due.some(({ unseen }) => unseen);
      if (!isSeeing || performance.now() - this.unseenAt < this.config.sweeperIntervalMs) continue;
      this.unseenAt = performance.now();
      await this.seeUnseen(UNSEEN_BATCHES);
    }
    return total;
  }

  /** Decides unseen enrollments, until none are left or for so many batches. */
  async seeUnseen(batches = Infinity): Promise<void> {
    const refusals = this.blocked.recent();
    for (let batch = 0; batch < batches; batch += 1) {
      const ids = idsOf(await this.find(refusals), 'unseen');
      if ((await this.batch(ids, refusals)) === 0) return;
    }
  }

  private find(refusals: Refusals): Promise<SettlingRow[]> {
    return this.transactions.autocommit<SettlingRow>(query(FIND_SETTLING_CAMPAIGNS, [...refusals.keys()]));
  }

  /** After an error, the campaigns are served one by one. Never throws for the enrollments of one campaign. */
  private async batch(all: string[], unseen?: Refusals): Promise<number> {
    if (all.length === 0) return 0;
    const ids = all.slice(0, BATCH);
    const most = Math.floor(BATCH / ids.length);
    try {
      return await this.settlement.settle(ids, most, unseen);
    } catch (error) {
      this.logger.warn(`batch not settled: ${describeError(error)}`);
    }
    let settled = 0;
    for (const id of ids) {
      settled += await this.settlement.settle([id], 1, unseen).catch((error: unknown) => {
        this.logger.error({ message: `campaign not settled: ${describeError(error)}`, campaignId: id });
        return 0;
      });
    }
    return settled;
  }
}

/** In random order, because one batch may not serve them all. */
function idsOf(due: readonly SettlingRow[], what: 'settles' | 'unseen'): string[] {
  const ids = due.filter((row) => row[what]).map(({ id }) => id);
  if (ids.length <= BATCH) return ids;
  const from = Math.floor(Math.random() * ids.length);
  return [...ids.slice(from), ...ids.slice(0, from)];
}
