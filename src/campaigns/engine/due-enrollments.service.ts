import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { PeriodicLoop } from '../../loops/periodic-loop.js';
import { Config } from '../../config/config.js';
import { query, Transactions } from '../../database/transactions.js';
import { describeError } from '../../telemetry/describe-error.js';
import { WorkerEngineWakeUps } from '../../queue/engine-channel.js';
import { CampaignDials } from './campaign-dials.service.js';
import { EngineDials } from './engine-dials.service.js';
import { type DueRow, teamsOf } from './due-campaigns.js';
import { END_ARCHIVED, FIND_DIALING_CAMPAIGNS, FOLD_COUNTS } from './due-enrollments.sql.js';
import { SettlingEnrollments } from './settling-enrollments.service.js';
import { VersionMigrationService } from './version-migration.service.js';

/** One run ends at most this many enrollments of each version of an archived campaign. */
const MAX_ENDED = 500;
/**
 * The pause before ended calls are settled, in milliseconds. While many calls end, one transaction settles those of
 * this pause, and leaves the machine to the dials.
 */
const SETTLING_PAUSE_MS = 250;
/** One run adds at most this many changes to the stored counts. Queries of counts include the others. */
const COUNT_CHANGES = 20_000;

/**
 * The engine's loops: settles enrollments, finds those whose dials are due, has them decided in batches, and dials
 * the claimed calls. Runs in every worker.
 */
@Injectable()
export class DueEnrollmentsService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(DueEnrollmentsService.name);
  private loops: PeriodicLoop[] = [];

  constructor(
    private readonly transactions: Transactions,
    private readonly migrations: VersionMigrationService,
    private readonly settling: SettlingEnrollments,
    private readonly dials: EngineDials,
    private readonly campaigns: CampaignDials,
    private readonly config: Config,
    private readonly wakeUps: WorkerEngineWakeUps,
  ) {}

  onApplicationBootstrap(): void {
    const loopOf = (run: (signal: AbortSignal) => Promise<unknown>, requestedPauseMs?: number) =>
      new PeriodicLoop(
        (signal) =>
          run(signal).then(
            () => undefined,
            (error: unknown) => this.logFailed(error),
          ),
        this.config.sweeperIntervalMs,
        requestedPauseMs,
      );
    // No loop waits for another one: a backlog of dials delays no settlement, and a migration delays neither.
    const settling: PeriodicLoop = loopOf(async (signal) => {
      if ((await this.settling.run(signal)) > 0) settling.runSoon();
    }, SETTLING_PAUSE_MS);
    const dialing = loopOf((signal) => this.runDue(signal));
    this.loops = [settling, dialing, loopOf((signal) => this.upkeep(signal))];
    // The start does not wait for Redis, which may be unavailable.
    void this.wakeUps.listen(() => {
      settling.runSoon();
      dialing.runSoon();
    });
  }

  /** Stops claiming, and waits until the claimed calls are dialed. `FiringLifecycle` then closes the carriers. */
  async onModuleDestroy(): Promise<void> {
    this.wakeUps.close();
    this.campaigns.stop();
    await Promise.all(this.loops.map((loop) => loop.stop()));
    await this.dials.settled();
  }

  /**
   * Runs the upkeep. Then settles and dials until nothing is due, and no dial is in progress or unseen. For tests.
   *
   * @returns how many calls it claimed.
   * @throws the database's error; an error of one team is only logged.
   */
  async run(signal: AbortSignal): Promise<number> {
    const before = this.dials.claimed;
    await this.upkeep(signal);
    for (let settled = 1, dialed = true; settled > 0 || dialed;) {
      settled = await this.settling.run(signal);
      await this.runDue(signal);
      dialed = await this.campaigns.settled();
    }
    await this.settling.seeUnseen();
    await this.dials.settled();
    return this.dials.claimed - before;
  }

  /**
   * Ends the live enrollments of archived campaigns, adds changes to the counts, and migrates enrollments to other
   * versions.
   */
  private async upkeep(signal: AbortSignal): Promise<void> {
    await this.transactions.autocommit(query(END_ARCHIVED, MAX_ENDED));
    await this.transactions.autocommit(query(FOLD_COUNTS, COUNT_CHANGES));
    await this.migrations.run(signal);
  }

  /** Decides enrollments whose dials are due. After `signal` aborts, no further team and no batch begins. */
  private async runDue(signal: AbortSignal): Promise<void> {
    for (let progress = true; progress && !signal.aborted;) {
      const due = await this.transactions.autocommit<DueRow>(query(FIND_DIALING_CAMPAIGNS));
      progress = await this.campaigns.runRound(teamsOf(due), signal);
    }
  }

  private logFailed(error: unknown): void {
    this.logger.error(`run failed: ${describeError(error)}`);
  }
}
