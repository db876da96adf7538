import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../config/config.js';
import { query, type Statement, Transactions } from '../database/transactions.js';
import { describeError } from '../http/describe-error.js';
import { FORGET_OLD_ANSWERS } from '../idempotency/idempotency.sql.js';
import { Metrics } from '../telemetry/metrics.js';
import { FireService } from './fire.service.js';
import { LinesService } from './lines.service.js';
import { OverdueService } from './overdue.service.js';
import { FIND_EXPIRED } from './sql/sweep.sql.js';
import { SweeperJournal, type SweepResult } from './sweeper-journal.js';
import { UnsettledService } from './unsettled.service.js';

const BATCH = 500;

interface PendingRow {
  id: string;
  generation: number;
}

/** Finds calls whose next step was lost, and takes it: wakes the overdue, ends the expired, asks about the silent. */
@Injectable()
export class SweeperService {
  private readonly logger = new Logger(SweeperService.name);
  private readonly journal: SweeperJournal;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = true;
  private stopping = false;

  constructor(
    private readonly transactions: Transactions,
    private readonly overdue: OverdueService,
    private readonly lines: LinesService,
    private readonly fireService: FireService,
    private readonly unsettled: UnsettledService,
    private readonly config: Config,
    private readonly metrics: Metrics,
  ) {
    this.journal = new SweeperJournal(transactions);
  }

  /** One run over everything that can be repaired now, at most one batch of each kind. */
  async sweep(): Promise<SweepResult> {
    const expired = await this.expire();
    const woken = (await this.overdue.wake()) + (await this.lines.offerAll());
    const unknown = await this.unsettled.markSilent();
    const resolved = await this.unsettled.askCarriers();
    await this.rows(FORGET_OLD_ANSWERS, BATCH);
    const result = { woken, expired, unknown, resolved };
    this.metrics.swept(result);
    return result;
  }

  start(): void {
    this.stopped = false;
    this.stopping = false;
    this.schedule();
  }

  /** Waits for the run that is under way. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.stopping = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private schedule(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.running = this.runOnce().finally(() => this.schedule());
    }, this.config.sweeperIntervalMs);
  }

  private async runOnce(): Promise<void> {
    const startedAt = performance.now();
    try {
      const result = await this.sweep();
      await this.journal.note(result, performance.now() - startedAt);
      const { woken, expired, unknown, resolved } = result;
      if (woken + expired + unknown + resolved === 0) return;
      this.logger.log({ message: 'repaired', woken, expired, unknown, resolved });
    } catch (error) {
      this.metrics.sweepFailed();
      this.logger.error(`run failed: ${describeError(error)}`);
    }
  }

  private async expire(): Promise<number> {
    const rows = await this.rows<PendingRow>(FIND_EXPIRED, BATCH);
    let ended = 0;
    for (const { id, generation } of rows) {
      if (this.stopping) break;
      // One number that somebody holds must not keep the others, nor the other repairs, waiting for another run.
      try {
        const result = await this.fireService.fire({ callRequestId: id, generation });
        if (result.kind === 'expired') ended += 1;
      } catch (error) {
        this.logger.warn({ message: `not expired: ${describeError(error)}`, callRequestId: id });
      }
    }
    return ended;
  }

  private rows<R extends object>(statement: Statement, ...values: unknown[]): Promise<R[]> {
    return this.transactions.autocommit<R>(query(statement, ...values));
  }
}
