import { Injectable, Logger } from '@nestjs/common';
import { CarrierRegistry } from '../../carriers/carrier-registry.js';
import { Config } from '../../config/config.js';
import { Transactions } from '../../database/transactions.js';
import { describeError } from '../../telemetry/describe-error.js';
import { Metrics } from '../../telemetry/metrics.js';
import { ExpiryService } from './expiry.service.js';
import { ConcurrencySlotsService } from '../../dialing/concurrency-slots/concurrency-slots.service.js';
import { LostJobsService } from './lost-jobs.service.js';
import { RedisLossService } from './redis-loss.service.js';
import { PeriodicLoop } from '../../loops/periodic-loop.js';
import { RetentionService } from './retention.service.js';
import { SweeperRuns, type SweepResult } from './sweeper-runs.js';
import { ZoneMovesService } from './zone-moves.service.js';
import { ReconciliationService } from './reconciliation.service.js';

/**
 * The shortest pause between two runs of a repair in {@link RETENTION}. These repairs remove rows that
 * nothing reads any more.
 */
const RETENTION_PAUSE_MS = 600_000;
/** How long a run waits for a carrier. Slower look-ups continue; a later run counts what they resolve. */
const CARRIER_PATIENCE_MS = 1_000;
const ENDED_CALLS = 'ended calls';
const PLAN_USAGE = 'plan usage';
const ENDED_ACCESS = 'ended sessions';
const RETENTION = new Set([ENDED_CALLS, PLAN_USAGE, ENDED_ACCESS]);

/** @param patienceMs the longest wait of a run for a carrier; undefined: no limit. */
type Repair = (signal: AbortSignal, patienceMs?: number) => Promise<Partial<SweepResult>>;

/**
 * Repairs calls that crashes or lost jobs left behind, and removes old rows. Each repair has a loop of its
 * own. A carrier that hangs, a held lock, or a backlog therefore delays only one repair.
 */
@Injectable()
export class SweeperService {
  private readonly logger = new Logger(SweeperService.name);
  private readonly runs: SweeperRuns;
  private readonly repairs: Record<string, Repair>;
  private loops: PeriodicLoop[] = [];

  constructor(
    transactions: Transactions,
    lostJobs: LostJobsService,
    concurrencySlots: ConcurrencySlotsService,
    expiry: ExpiryService,
    private readonly reconciliation: ReconciliationService,
    redisLoss: RedisLossService,
    retention: RetentionService,
    zoneMoves: ZoneMovesService,
    carriers: CarrierRegistry,
    private readonly config: Config,
    private readonly metrics: Metrics,
  ) {
    this.runs = new SweeperRuns(transactions);
    const lookUps = carriers.all.map((carrier): [string, Repair] => [
      `look-ups at ${carrier.name}`,
      async (_signal, patienceMs) => ({ resolved: await reconciliation.askCarrier(carrier, patienceMs) }),
    ]);
    this.repairs = {
      expiry: async (signal) => ({ expired: await expiry.expire(signal) }),
      'lost Redis': async (signal) => ({ woken: await redisLoss.restore(signal) }),
      'wake-ups': async () => {
        const woken = await lostJobs.wake();
        metrics.swept();
        return { woken };
      },
      'concurrency slots': async () => ({ woken: await concurrencySlots.offerAll() }),
      'zone data': async (signal) => {
        await zoneMoves.move(signal);
        return {};
      },
      'silent calls': async () => ({ unknown: await reconciliation.markSilent() }),
      ...Object.fromEntries(lookUps),
      'old answers': async (signal) => {
        await retention.removeAnswers(signal);
        return {};
      },
      [ENDED_ACCESS]: async (signal) => {
        await retention.removeAccess(signal);
        return {};
      },
      [ENDED_CALLS]: async (signal) => {
        await retention.removeCalls(signal);
        return {};
      },
      [PLAN_USAGE]: async (signal) => {
        await retention.removePlanUsage(signal);
        return {};
      },
    };
  }

  start(): void {
    this.loops = Object.entries(this.repairs).map(
      ([name, repair]) =>
        new PeriodicLoop((signal) => this.runOnce(name, repair, signal), this.pauseOf(name)),
    );
  }

  /** Waits for the current runs, and removes the worker from the list of running workers. */
  async stop(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
    this.loops = [];
    await this.reconciliation.close();
    await this.runs.leave();
  }

  /** Runs every repair once, one after the other. */
  async sweep(): Promise<SweepResult> {
    const { signal } = new AbortController();
    const total = { woken: 0, expired: 0, unknown: 0, resolved: 0 };
    for (const repair of Object.values(this.repairs)) {
      const result = await repair(signal);
      this.metrics.repaired(result);
      for (const [kind, calls] of Object.entries(result)) total[kind as keyof SweepResult] += calls;
    }
    return total;
  }

  private async runOnce(name: string, repair: Repair, signal: AbortSignal): Promise<void> {
    const startedAt = performance.now();
    try {
      const result = await repair(signal, CARRIER_PATIENCE_MS);
      this.metrics.repaired(result);
      await this.runs.note(result, performance.now() - startedAt);
      if (Object.values(result).every((calls) => calls === 0)) return;
      this.logger.log({ message: 'repaired', ...result });
    } catch (error) {
      this.metrics.sweepFailed();
      this.logger.error(`${name}: run failed: ${describeError(error)}`);
    }
  }

  private pauseOf(name: string): number {
    const { sweeperIntervalMs } = this.config;
    return RETENTION.has(name) ? Math.max(RETENTION_PAUSE_MS, sweeperIntervalMs) : sweeperIntervalMs;
  }
}
