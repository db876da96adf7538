import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Config } from '../../config/config.js';
import { query, Transactions } from '../../database/transactions.js';
import { PeriodicLoop } from '../../loops/periodic-loop.js';
import { describeError } from '../../telemetry/describe-error.js';
import { Metrics } from '../../telemetry/metrics.js';
import { TELL_CAMPAIGN_STATES } from './outbox.sql.js';

/** The pause between two runs. A state is told after a minute or more, so this need not be exact. */
const PAUSE_MS = 15_000;

/** Tells that campaigns have finished or stalled. It runs in every worker; one at a time writes the events. */
@Injectable()
export class CampaignStatesService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(CampaignStatesService.name);
  private loop: PeriodicLoop | undefined;

  constructor(
    private readonly transactions: Transactions,
    private readonly config: Config,
    private readonly metrics: Metrics,
  ) {}

  onApplicationBootstrap(): void {
    this.loop = new PeriodicLoop(() => this.runOnce(), Math.max(PAUSE_MS, this.config.sweeperIntervalMs));
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop?.stop();
  }

  /** Looks at all campaigns once. @returns how many events it wrote. */
  async tell(): Promise<number> {
    const [row] = await this.transactions.autocommit<{ told: number }>(query(TELL_CAMPAIGN_STATES));
    return row?.told ?? 0;
  }

  private async runOnce(): Promise<void> {
    try {
      await this.tell();
    } catch (error) {
      this.metrics.sweepFailed();
      this.logger.error(`states of campaigns not told: ${describeError(error)}`);
    }
  }
}
