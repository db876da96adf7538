import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DialService } from '../../calls/dial/dial.service.js';
import { PeriodicLoop } from '../../loops/periodic-loop.js';
import { Config } from '../../config/config.js';
import { MAX_BATCH } from '../../database/batch-work.js';
import { query, Transactions } from '../../database/transactions.js';
import { describeError } from '../../telemetry/describe-error.js';
import { Pacer, PacingStoppedError } from '../../pacing/pacer.js';
import { WorkerEngineWakeUps } from '../../queue/engine-channel.js';
import { Metrics } from '../../telemetry/metrics.js';
import { type BatchResult } from './batch-result.js';
import { EngineService } from './engine.service.js';
import { type DueCampaign, type DueRow, FairShares, teamsOf } from './fair-shares.js';
import { END_ARCHIVED, FIND_DUE_CAMPAIGNS, FOLD_COUNTS, RELEASE_PAUSED } from './due-enrollments.sql.js';
import { type DialToMake } from './persist.js';
import { VersionMigrationService } from './version-migration.service.js';

/** After a pause ends, one run makes at most this many held enrollments of each campaign due. */
const MAX_RELEASED = 500;
/** One run ends at most this many enrollments of each version of an archived campaign. */
const MAX_ENDED = 500;
/** One run adds at most this many changes to the stored counts. Queries of counts include the others. */
const COUNT_CHANGES = 20_000;
/** Teams whose batches run at the same time. */
const TEAMS_AT_A_TIME = 4;
/** How long a run serves one team, before it serves the next one or looks for due campaigns again. */
const ROUND_MS = 500;

/** Finds due enrollments, has them decided in batches, and dials the claimed calls. Runs in every worker. */
@Injectable()
export class DueEnrollmentsService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(DueEnrollmentsService.name);
  private readonly shares = new FairShares();
  private readonly dialing = new Set<Promise<void>>();
  private loop: PeriodicLoop | undefined;
  /** When `upkeep` last began, by the monotonic clock. */
  private upkeepAt = -Infinity;

  constructor(
    private readonly transactions: Transactions,
    private readonly engine: EngineService,
    private readonly migrations: VersionMigrationService,
    private readonly dialer: DialService,
    private readonly pacer: Pacer,
    private readonly config: Config,
    private readonly metrics: Metrics,
    private readonly wakeUps: WorkerEngineWakeUps,
  ) {}

  onApplicationBootstrap(): void {
    const loop = new PeriodicLoop((signal) => this.runOnce(signal), this.config.sweeperIntervalMs);
    this.loop = loop;
    // The start does not wait for Redis, which may be unavailable.
    void this.wakeUps.listen(() => loop.runSoon());
  }

  /** Stops claiming, and waits until the claimed calls are dialed. `DialingLifecycle` then closes the carriers. */
  async onModuleDestroy(): Promise<void> {
    this.wakeUps.close();
    await this.loop?.stop();
    while (this.dialing.size > 0) await Promise.allSettled(this.dialing);
  }

  /**
   * Makes enrollments due if the pause that held them has ended. Ends the live enrollments of archived
   * campaigns, adds changes to the counts, and migrates enrollments to other versions. Then decides due
   * enrollments. After `signal` aborts, no further team and no unpaced batch begins.
   *
   * @returns how many calls it claimed.
   * @throws the database's error; an error of one team is only logged.
   */
  async run(signal: AbortSignal): Promise<number> {
    await this.upkeep(signal);
    return this.runDue(signal);
  }

  private async upkeep(signal: AbortSignal): Promise<void> {
    this.upkeepAt = performance.now();
    await this.transactions.autocommit(query(RELEASE_PAUSED, MAX_RELEASED));
    await this.transactions.autocommit(query(END_ARCHIVED, MAX_ENDED));
    await this.transactions.autocommit(query(FOLD_COUNTS, COUNT_CHANGES));
    await this.migrations.run(signal);
  }

  private async upkeepIfDue(signal: AbortSignal): Promise<void> {
    const isDue = performance.now() - this.upkeepAt >= this.config.sweeperIntervalMs;
    if (isDue && !signal.aborted) await this.upkeep(signal);
  }

  private async runDue(signal: AbortSignal): Promise<number> {
    let claimed = 0;
    for (let progress = true; progress && !signal.aborted;) {
      const due = await this.transactions.autocommit<DueRow>(query(FIND_DUE_CAMPAIGNS));
      this.shares.keepOnly(new Set(due.map(({ id }) => id)));
      const results = await this.runTeams(teamsOf(due), signal);
      claimed += results.reduce((sum, result) => sum + result.claimed, 0);
      progress = results.some((result) => result.interrupted);
      // Under a backlog this loop runs for long, and the upkeep cannot wait for its end.
      if (progress) await this.upkeepIfDue(signal).catch((error: unknown) => this.logFailed(error));
    }
    return claimed;
  }

  /** Waits until no dial is in progress. For tests. */
  async settled(): Promise<void> {
    while (this.dialing.size > 0) await Promise.allSettled(this.dialing);
  }

  private async runOnce(signal: AbortSignal): Promise<void> {
    try {
      await this.upkeepIfDue(signal);
      await this.runDue(signal);
    } catch (error) {
      this.logFailed(error);
    }
  }

  private logFailed(error: unknown): void {
    this.logger.error(`run failed: ${describeError(error)}`);
  }

  private async runTeams(teams: DueCampaign[][], signal: AbortSignal): Promise<TeamResult[]> {
    const results: TeamResult[] = [];
    const waiting = [...teams];
    const next = async () => {
      for (let team = waiting.shift(); team !== undefined; team = waiting.shift()) {
        results.push(await this.runTeam(team, signal));
      }
    };
    await Promise.all(Array.from({ length: TEAMS_AT_A_TIME }, next));
    return results;
  }

  /** Never throws: an error of one team stops no other. */
  private async runTeam(campaigns: DueCampaign[], signal: AbortSignal): Promise<TeamResult> {
    const open = new Map(campaigns.map((campaign) => [campaign.id, campaign]));
    const teamId = campaigns[0]?.teamId ?? '';
    const until = performance.now() + ROUND_MS;
    const result = { claimed: 0, interrupted: false };
    try {
      while (open.size > 0 && !signal.aborted) {
        if (performance.now() > until) {
          result.interrupted = true;
          break;
        }
        if (this.freeCapacity() === 0) {
          await this.waitForAnswer(until - performance.now());
          continue;
        }
        const order = this.shares.share([...open.values()], Math.min(MAX_BATCH, this.freeCapacity()));
        const batch = await this.runBatch(teamId, order);
        result.claimed += this.dialClaimed(batch, open, order);
        for (const [carrier, ids] of batch.needPacingSlots) {
          const paced = new Map(campaigns.filter(({ id }) => ids.has(id)).map((one) => [one.id, one]));
          const dialed = await this.runPaced(teamId, carrier, paced);
          result.claimed += dialed;
          result.interrupted ||= dialed > 0 || this.freeCapacity() === 0;
        }
      }
    } catch (error) {
      this.logger.error({ message: `team not served: ${describeError(error)}`, teamId });
    }
    return result;
  }

  /**
   * If a batch fails, runs a batch of one due enrollment of the first campaign in `order`. If that batch
   * fails too, and the enrollment may be the cause, `EngineService` postpones it.
   */
  private async runBatch(teamId: string, order: readonly string[]): Promise<BatchResult> {
    try {
      return await this.engine.run(teamId, order);
    } catch (error) {
      if (order.length === 1) throw error;
      this.logger.warn({ message: `batch not decided: ${describeError(error)}`, teamId });
      return this.engine.run(teamId, order.slice(0, 1));
    }
  }

  /**
   * Dials in as many pacing slots of the carrier as there are campaigns. The campaigns share them by weight. A
   * campaign that does not use its pacing slot gets no further one. Other batches of the team then continue.
   */
  private async runPaced(
    teamId: string,
    carrier: string,
    campaigns: Map<string, DueCampaign>,
  ): Promise<number> {
    let claimed = 0;
    for (let slots = campaigns.size; slots > 0 && campaigns.size > 0 && this.freeCapacity() > 0; slots -= 1) {
      const pacingSlot = await this.pacer.approach(carrier).catch((error: unknown) => {
        if (error instanceof PacingStoppedError) return null;
        throw error;
      });
      if (pacingSlot === null) return claimed;
      const order = this.shares.share([...campaigns.values()], 1);
      let used = false;
      try {
        const batch = await this.engine.run(teamId, order, { carrier, pacingSlot });
        used = batch.dials.some(({ call }) => call.pacingSlot === pacingSlot);
        claimed += this.dialClaimed(batch, campaigns, order);
      } finally {
        if (!used) this.pacer.release(carrier, pacingSlot);
      }
      if (!used) for (const id of order) campaigns.delete(id);
    }
    return claimed;
  }

  /** Dials the claimed calls. Deletes a campaign from the map `open` if it is exhausted or has no more due. */
  private dialClaimed(batch: BatchResult, open: Map<string, DueCampaign>, order: readonly string[]): number {
    for (const dial of batch.dials) {
      const campaign = open.get(dial.campaignId);
      if (campaign !== undefined) this.shares.spend(campaign);
      this.dial(dial);
    }
    for (const id of new Set(order)) {
      const requested = order.filter((campaignId) => campaignId === id).length;
      const isEmpty = (batch.taken.get(id) ?? 0) < requested && !batch.moved.has(id);
      if (isEmpty || batch.exhausted.has(id)) open.delete(id);
    }
    return batch.dials.length;
  }

  private dial({ call, lateSeconds }: DialToMake): void {
    this.metrics.claimed('queued', lateSeconds);
    const dialing: Promise<void> = this.dialer.dial(call).finally(() => this.dialing.delete(dialing));
    this.dialing.add(dialing);
  }

  /** Waits until a carrier has answered one of the dials under way, or until the time is over. */
  private async waitForAnswer(withinMs: number): Promise<void> {
    const stop = new AbortController();
    const timer = pause(withinMs, undefined, { signal: stop.signal }).catch(() => undefined);
    await Promise.race([...this.dialing, timer]);
    stop.abort();
  }

  /** How many more calls the engine may claim now. Triggered calls are counted separately. */
  private freeCapacity(): number {
    return Math.max(0, this.config.workerConcurrency - this.dialing.size);
  }
}

interface TeamResult {
  claimed: number;
  /** Whether more may be due, so that due campaigns are looked up again. */
  interrupted: boolean;
}
