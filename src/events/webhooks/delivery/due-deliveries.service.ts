import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { PeriodicLoop } from '../../../loops/periodic-loop.js';
import { Config } from '../../../config/config.js';
import { query, Transactions } from '../../../database/transactions.js';
import { describeError } from '../../../telemetry/describe-error.js';
import { Metrics } from '../../../telemetry/metrics.js';
import { type DueEndpointRow, FIND_DUE_ENDPOINTS, REMOVE, type RemovedRow } from './attempts.sql.js';
import { DeliveryService } from './delivery.service.js';

/** The pause between two removals of old deliveries, in milliseconds. */
const RETENTION_PAUSE_MS = 600_000;

/** One statement removes at most this many deliveries. */
const BATCH = 1_000;

/**
 * Finds due deliveries that have no wake-up: retries, deliveries whose worker died, and deliveries whose
 * wake-up was lost. Also removes old deliveries.
 */
@Injectable()
export class DueDeliveries implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(DueDeliveries.name);
  private loops: PeriodicLoop[] = [];

  constructor(
    private readonly transactions: Transactions,
    private readonly deliveries: DeliveryService,
    private readonly config: Config,
    private readonly metrics: Metrics,
  ) {}

  onApplicationBootstrap(): void {
    const { sweeperIntervalMs } = this.config;
    this.loops = [
      new PeriodicLoop(() => this.logged(this.wake()), sweeperIntervalMs),
      new PeriodicLoop(
        (signal) => this.logged(this.remove(signal)),
        Math.max(RETENTION_PAUSE_MS, sweeperIntervalMs),
      ),
    ];
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
    await this.deliveries.stop();
  }

  /** Wakes every endpoint with a due delivery. @throws the database's error. */
  async wake(): Promise<void> {
    const due = await this.transactions.autocommit<DueEndpointRow>(query(FIND_DUE_ENDPOINTS));
    for (const { endpoint_id: endpointId, team_id: teamId } of due) this.deliveries.wake(endpointId, teamId);
  }

  /**
   * Removes all deliveries that are past their retention, and those of deleted endpoints. It stops early if
   * `signal` aborts, or if another process removes deliveries.
   * @returns how many it removed. @throws the database's error.
   */
  async remove(signal: AbortSignal): Promise<number> {
    let total = 0;
    while (!signal.aborted) {
      const [row] = await this.transactions.autocommit<RemovedRow>(query(REMOVE, BATCH));
      if (row?.endpoint == null) return total;
      this.metrics.rowsRemoved('webhook_deliveries', row.removed);
      total += row.removed;
    }
    return total;
  }

  private async logged(work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.logger.error(`run failed: ${describeError(error)}`);
    }
  }
}
