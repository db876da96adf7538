import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { PeriodicLoop } from '../../loops/periodic-loop.js';
import { Config } from '../../config/config.js';
import { MAX_BATCH } from '../../database/batch-work.js';
import { query, Transactions } from '../../database/transactions.js';
import { describeError } from '../../telemetry/describe-error.js';
import { Pacer } from '../../pacing/pacer.js';
import { WorkerEngineWakeUps } from '../../queue/engine-channel.js';
import { type BatchResult } from './batch-result.js';
import { DialLimit } from './dial-limit.js';
import { EngineDials } from './engine-dials.service.js';
import { WeightedShares } from '../../fairness/weighted-shares.js';
import { type DueCampaign, type DueRow, teamsOf } from './due-campaigns.js';
import { END_ARCHIVED, FIND_DIALING_CAMPAIGNS, FOLD_COUNTS } from './due-enrollments.sql.js';
import { PacedCampaigns } from './paced-campaigns.service.js';
import { SettlingEnrollments } from './settling-enrollments.service.js';
import { VersionMigrationService } from './version-migration.service.js';

/** One run ends at most this many enrollments of each version of an archived campaign. */
const MAX_ENDED = 500;
/** One run adds at most this many changes to the stored counts. Queries of counts include the others. */
const COUNT_CHANGES = 20_000;
/** Teams whose batches run at the same time. */
const TEAMS_AT_A_TIME = 4;
/** How long a run serves one team, before it serves the next one or looks for due campaigns again. */
const ROUND_MS = 500;

/**
 * The engine's loops: settles enrollments, finds those whose dials are due, has them decided in batches, and dials
 * the claimed calls. Runs in every worker.
 */
@Injectable()
export class DueEnrollmentsService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(DueEnrollmentsService.name);
  /** Of calls at carriers that are not paced. Triggered calls are counted separately. */
  private readonly limit: DialLimit;
  private loops: PeriodicLoop[] = [];
  /** When each team's last call was claimed, by the monotonic clock. */
  private readonly lastClaims = new Map<string, number>();

  constructor(
    private readonly transactions: Transactions,
    private readonly migrations: VersionMigrationService,
    private readonly settling: SettlingEnrollments,
    private readonly shares: WeightedShares,
    private readonly dials: EngineDials,
    private readonly paced: PacedCampaigns,
    private readonly pacer: Pacer,
    private readonly config: Config,
    private readonly wakeUps: WorkerEngineWakeUps,
  ) {
    this.limit = new DialLimit(config.workerConcurrency);
  }

  onApplicationBootstrap(): void {
    const loopOf = (run: (signal: AbortSignal) => Promise<unknown>) =>
      new PeriodicLoop(
        (signal) =>
          run(signal).then(
            () => undefined,
            (error: unknown) => this.logFailed(error),
          ),
        this.config.sweeperIntervalMs,
      );
    // No loop waits for another one: a backlog of dials delays no settlement, and a migration delays neither.
    const settling = loopOf((signal) => this.settling.run(signal));
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
    await Promise.all([...this.loops.map((loop) => loop.stop()), this.paced.stop()]);
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
      dialed = await this.paced.settled();
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
      this.shares.keepOnly(new Set(due.map(({ id }) => id)));
      const teams = new Set(due.map(({ team_id: teamId }) => teamId));
      for (const teamId of this.lastClaims.keys()) if (!teams.has(teamId)) this.lastClaims.delete(teamId);
      progress = await this.runTeams(teamsOf(due), signal);
    }
  }

  private logFailed(error: unknown): void {
    this.logger.error(`run failed: ${describeError(error)}`);
  }

  /** @returns whether more may be due. */
  private async runTeams(teams: DueCampaign[][], signal: AbortSignal): Promise<boolean> {
    const waiting = teams.map((team) => this.paced.withoutTask(team)).filter((team) => team.length > 0);
    // The team whose last claim is the oldest is first.
    const lastClaimOf = ([campaign]: DueCampaign[]) => this.lastClaims.get(campaign?.teamId ?? '') ?? 0;
    waiting.sort((one, other) => lastClaimOf(one) - lastClaimOf(other));
    const teamsAtATime = Math.min(TEAMS_AT_A_TIME, waiting.length);
    let isMoreDue = false;
    const next = async () => {
      for (let team = waiting.shift(); team !== undefined; team = waiting.shift()) {
        if (await this.runTeam(team, teamsAtATime, signal)) isMoreDue = true;
      }
    };
    await Promise.all(Array.from({ length: TEAMS_AT_A_TIME }, next));
    return isMoreDue;
  }

  /** Never throws: an error of one team stops no other. @returns whether more may be due. */
  private async runTeam(
    campaigns: DueCampaign[],
    teamsAtATime: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    const open = new Map(campaigns.map((campaign) => [campaign.id, campaign]));
    const teamId = campaigns[0]?.teamId ?? '';
    const until = performance.now() + ROUND_MS;
    let hasLooked = !this.pacer.pacesAny;
    try {
      while (open.size > 0 && !signal.aborted && performance.now() <= until) {
        if (this.limit.free > 0) {
          const batch = await this.runBatch(teamId, open, teamsAtATime);
          if (batch.dials.length > 0) this.lastClaims.set(teamId, performance.now());
          this.dialPaced(campaigns, batch);
        } else if (!hasLooked) {
          hasLooked = true;
          this.dialPaced(campaigns, await this.lookWithoutDials(open));
        } else {
          await this.limit.waitForChange(until - performance.now());
        }
      }
    } catch (error) {
      this.logger.error({ message: `team not served: ${describeError(error)}`, teamId });
      return false;
    }
    return open.size > 0;
  }

  private dialPaced(campaigns: readonly DueCampaign[], { undialed }: BatchResult): void {
    for (const [carrier, counts] of undialed) {
      for (const campaign of campaigns) {
        const needed = counts.get(campaign.id);
        if (needed !== undefined) this.paced.dial(carrier, campaign, needed);
      }
    }
  }

  /** Finds calls at paced carriers, which have limits of their own, while no dial is free. */
  private async lookWithoutDials(open: ReadonlyMap<string, DueCampaign>): Promise<BatchResult> {
    const order = this.shares.share([...open.values()], this.limit.most);
    return this.dials.dialBatch(order.slice(0, MAX_BATCH), new Map(open), this.limit, {
      carrier: null,
      pacingSlot: null,
    });
  }

  /**
   * Decides a batch of the campaigns in `open`, and deletes those that have no more due. If the batch fails,
   * runs a batch of one due enrollment of the first campaign. If that batch fails too, and the enrollment may
   * be the cause, `EngineService` postpones it.
   */
  private async runBatch(
    teamId: string,
    open: Map<string, DueCampaign>,
    teamsAtATime: number,
  ): Promise<BatchResult> {
    // The teams divide the free dials, so that none of them waits for another's batch.
    const count = Math.min(MAX_BATCH, Math.ceil(this.limit.free / teamsAtATime));
    const order = this.shares.share([...open.values()], count);
    const dialed = (ids: readonly string[]) =>
      this.limit.reserve(ids.length, () => this.dials.dialBatch(ids, open, this.limit));
    try {
      return await dialed(order);
    } catch (error) {
      if (order.length === 1) throw error;
      this.logger.warn({ message: `batch not decided: ${describeError(error)}`, teamId });
      return dialed(order.slice(0, 1));
    }
  }
}
