import { hostname } from 'node:os';
import { Logger } from '@nestjs/common';
import { query, type Transactions } from '../../database/transactions.js';
import { describeError } from '../../telemetry/describe-error.js';
import { FORGET_WORKER, NOTE_RUN } from './sweep.sql.js';

/** The number of repaired calls, by kind of fault. */
export interface SweepResult {
  woken: number;
  expired: number;
  unknown: number;
  resolved: number;
}

/** The shortest pause between two records of runs that repaired nothing, in milliseconds. */
const PAUSE_MS = 5_000;

/** Records when this process's sweeper ran and what it repaired, for the operations pages. */
export class SweeperRuns {
  private readonly logger = new Logger(SweeperRuns.name);
  private readonly worker = `${hostname()}:${process.pid}`;
  private readonly totals: SweepResult = { woken: 0, expired: 0, unknown: 0, resolved: 0 };
  private writtenAt = -Infinity;
  private written: Promise<void> = Promise.resolve();

  constructor(private readonly transactions: Transactions) {}

  /**
   * Records a run. Runs are recorded one after the other. Never throws: a run does not fail if it is not
   * recorded.
   */
  note(result: Partial<SweepResult>, durationMs: number): Promise<void> {
    const { totals } = this;
    for (const kind of Object.keys(totals) as (keyof SweepResult)[]) totals[kind] += result[kind] ?? 0;
    const repaired = Object.values(result).some((calls: number) => calls > 0);
    this.written = this.written.then(() => this.write(repaired, durationMs));
    return this.written;
  }

  /**
   * Removes the row of this process when the process stops, so that the worker does not seem silent. Never
   * throws.
   */
  async leave(): Promise<void> {
    await this.written;
    if (this.writtenAt === -Infinity) return;
    this.writtenAt = -Infinity;
    try {
      await this.transactions.autocommit(query(FORGET_WORKER, this.worker));
    } catch (error) {
      this.logger.warn(`worker's row not removed: ${describeError(error)}`);
    }
  }

  private async write(repaired: boolean, durationMs: number): Promise<void> {
    const { totals } = this;
    const startedAt = performance.now();
    if (!repaired && startedAt - this.writtenAt < PAUSE_MS) return;
    const first = this.writtenAt === -Infinity;
    const { woken, expired, unknown, resolved } = totals;
    try {
      await this.transactions.autocommit(
        query(
          NOTE_RUN,
          this.worker,
          first,
          Math.round(durationMs),
          repaired,
          woken,
          expired,
          unknown,
          resolved,
        ),
      );
      this.writtenAt = startedAt;
    } catch (error) {
      this.logger.warn(`sweeper run not recorded: ${describeError(error)}`);
    }
  }
}
