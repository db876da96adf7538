import { Injectable, Logger } from '@nestjs/common';
import { CarrierRegistry } from '../carriers/carrier-registry.js';
import { Config } from '../config/config.js';
import { query, type Statement, Transactions } from '../database/transactions.js';
import { CallQueue } from '../queue/call-queue.js';
import { DIAL_WITHIN_MS } from './dial.service.js';
import { FireService } from './fire.service.js';
import { FIND_EXPIRED, MARK_UNKNOWN, WAKE_OVERDUE } from './sql/sweep.sql.js';

const BATCH = 500;

/** No call is longer; one that reports no end by then has been forgotten by its carrier. */
export const LONGEST_CALL_MS = 4 * 3_600_000;

/** For the carrier's answer to be written down after its last possible moment. */
const RECORDING_MS = 5_000;

export interface SweepResult {
  woken: number;
  expired: number;
  unknown: number;
}

interface PendingRow {
  id: string;
  generation: number;
}

/** Finds calls whose next step was lost, and takes it: wakes the overdue, ends the expired, marks the silent. */
@Injectable()
export class SweeperService {
  private readonly logger = new Logger(SweeperService.name);
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = true;

  constructor(
    private readonly transactions: Transactions,
    private readonly queue: CallQueue,
    private readonly fireService: FireService,
    private readonly carriers: CarrierRegistry,
    private readonly config: Config,
  ) {}

  /** One run over everything that can be repaired now, at most one batch of each kind. */
  async sweep(): Promise<SweepResult> {
    const expired = await this.expire();
    const unknown = await this.markUnknown();
    const woken = await this.wakeOverdue();
    return { woken, expired, unknown };
  }

  start(): void {
    this.stopped = false;
    this.schedule();
  }

  /** Waits for the run that is under way. */
  async stop(): Promise<void> {
    this.stopped = true;
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
    try {
      const { woken, expired, unknown } = await this.sweep();
      if (woken + expired + unknown > 0) {
        this.logger.log(`woke ${woken} calls, ended ${expired} expired, marked ${unknown} as unknown`);
      }
    } catch (error) {
      this.logger.error(`run failed: ${(error as Error).message}`);
    }
  }

  /** Without Redis nothing could be woken, and counting wake-ups would only put the next one off. */
  private async wakeOverdue(): Promise<number> {
    if (!this.queue.available) return 0;
    const rows = await this.rows<PendingRow>(WAKE_OVERDUE, this.config.sweeperGraceMs, BATCH);
    await this.queue.wakeAll(rows.map(({ id, generation }) => ({ callRequestId: id, generation })));
    return rows.length;
  }

  private async expire(): Promise<number> {
    const rows = await this.rows<PendingRow>(FIND_EXPIRED, BATCH);
    let ended = 0;
    for (const { id, generation } of rows) {
      const result = await this.fireService.fire({ callRequestId: id, generation });
      if (result.kind === 'expired') ended += 1;
    }
    return ended;
  }

  private async markUnknown(): Promise<number> {
    const dialingMs = DIAL_WITHIN_MS + this.carriers.longestTimeoutMs + RECORDING_MS;
    const rows = await this.rows<{ id: string }>(MARK_UNKNOWN, dialingMs, LONGEST_CALL_MS, BATCH);
    for (const { id } of rows) this.logger.warn(`call ${id}: nothing was heard of it, marked dial_unknown`);
    return rows.length;
  }

  private rows<R extends object>(statement: Statement, ...values: unknown[]): Promise<R[]> {
    return this.transactions.read<R>(query(statement, ...values));
  }
}
