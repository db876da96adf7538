import { type BeforeApplicationShutdown, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { describeError } from '../telemetry/describe-error.js';
import { type Metrics } from '../telemetry/metrics.js';
import { PeriodicLoop } from './periodic-loop.js';

/** The pause between two runs. It may be long, because rows are kept for months. */
const PAUSE_MS = 3_600_000;

/** Removes rows whose retention is over, each hour. */
export abstract class HourlyRemoval implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(this.constructor.name);
  private loop: PeriodicLoop | undefined;

  /** @param rows what is removed, for the log, such as `consents`. */
  constructor(
    private readonly rows: string,
    private readonly metrics: Metrics,
  ) {}

  /** @returns how many rows it removed. An abort of `signal` ends the removal early. */
  abstract removeOld(signal: AbortSignal): Promise<number>;

  onApplicationBootstrap(): void {
    this.loop = new PeriodicLoop((signal) => this.runOnce(signal), PAUSE_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop?.stop();
  }

  private async runOnce(signal: AbortSignal): Promise<void> {
    try {
      await this.removeOld(signal);
    } catch (error) {
      this.metrics.sweepFailed();
      this.logger.error(`old ${this.rows} not removed: ${describeError(error)}`);
    }
  }
}
