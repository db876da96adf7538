import { Injectable, Logger } from '@nestjs/common';
import { DialService } from '../../dialing/dial.service.js';
import { describeError } from '../../telemetry/describe-error.js';
import { Metrics } from '../../telemetry/metrics.js';
import { ZoneDataInForce } from '../../database/zone-data-in-force.js';
import { type BatchResult, resultOf } from './batch-result.js';
import { BlockedCampaigns } from './blocked-campaigns.js';
import { type DialLimit } from './dial-limit.js';
import { type CarrierOfBatch, EngineService } from './engine.service.js';
import { WeightedShares } from '../../fairness/weighted-shares.js';
import { type DueCampaign } from './due-campaigns.js';
import { type DialToMake } from './persist.js';

/** @see EngineDials.dialBatch */
export interface DialedBatch extends BatchResult {
  /** Campaigns of the batch that are exhausted or have no more enrollments due. */
  over: Set<string>;
}

/** Has batches decided, and dials the calls that they claim. */
@Injectable()
export class EngineDials {
  private readonly logger = new Logger(EngineDials.name);
  /** The batches and the dials in progress. */
  private readonly inProgress = new Set<Promise<unknown>>();
  /**
   * The last batch of each team. A batch does not wait for locks. Two batches at once would find each other's
   * locks if the team has a limit that needs an exclusive one.
   */
  private readonly lastBatches = new Map<string, Promise<BatchResult>>();
  /** Calls claimed since the process started. */
  claimed = 0;

  constructor(
    private readonly engine: EngineService,
    private readonly dialer: DialService,
    private readonly shares: WeightedShares,
    private readonly metrics: Metrics,
    private readonly blocked: BlockedCampaigns,
    private readonly zoneData: ZoneDataInForce,
  ) {}

  /**
   * Decides a batch after the earlier batches of its team, and dials the calls that it claims. Returns without
   * waiting for the dials. If a batch fails, its first enrollment is decided individually. If that fails, too,
   * and the enrollment may be the cause, `EngineService` postpones it.
   *
   * @param order ids of campaigns, one for each enrollment of the batch.
   * @param campaigns of one team.
   * @param limit counts the dials. The caller has reserved them.
   * @throws the database's error. No call is dialed then.
   */
  dialBatch(
    order: readonly string[],
    campaigns: ReadonlyMap<string, DueCampaign>,
    limit: DialLimit,
    only?: CarrierOfBatch,
  ): Promise<DialedBatch> {
    const dialed = this.dialDecided(order, campaigns, limit, only).catch((error: unknown) => {
      if (order.length === 1) throw error;
      this.logger.warn({ message: `batch not decided: ${describeError(error)}`, campaignId: order[0] });
      return this.dialDecided(order.slice(0, 1), campaigns, limit, only);
    });
    return this.track(dialed);
  }

  /** Waits until no batch and no dial is in progress. */
  async settled(): Promise<void> {
    while (this.inProgress.size > 0) await Promise.allSettled(this.inProgress);
  }

  private async dialDecided(
    order: readonly string[],
    campaigns: ReadonlyMap<string, DueCampaign>,
    limit: DialLimit,
    only?: CarrierOfBatch,
  ): Promise<DialedBatch> {
    const teamId = campaigns.values().next().value?.teamId ?? '';
    const isOutdated = (await this.zoneData.fault()) !== null;
    const batch = isOutdated
      ? resultOf([], [], [])
      : await this.afterOthers(teamId, () => this.engine.run(teamId, order, only));
    for (const dial of batch.dials) {
      const campaign = campaigns.get(dial.campaignId);
      if (campaign !== undefined) this.shares.spend(campaign);
      limit.count(this.dial(dial));
    }
    for (const [id, refusal] of batch.refusals) this.blocked.note(id, refusal);
    return { ...batch, over: new Set(order.filter((id) => isOver(id, order, batch))) };
  }

  private afterOthers(teamId: string, decide: () => Promise<BatchResult>): Promise<BatchResult> {
    const batch = (this.lastBatches.get(teamId) ?? Promise.resolve()).then(decide, decide);
    this.lastBatches.set(teamId, batch);
    const forget = () => {
      if (this.lastBatches.get(teamId) === batch) this.lastBatches.delete(teamId);
    };
    batch.then(forget, forget);
    return batch;
  }

  private dial({ call, lateSeconds }: DialToMake): Promise<void> {
    this.claimed += 1;
    this.metrics.claimed('queued', lateSeconds);
    return this.track(this.dialer.dial(call));
  }

  private track<T>(work: Promise<T>): Promise<T> {
    const tracked: Promise<T> = work.finally(() => this.inProgress.delete(tracked));
    this.inProgress.add(tracked);
    return tracked;
  }
}

function isOver(id: string, order: readonly string[], batch: BatchResult): boolean {
  const requested = order.filter((campaignId) => campaignId === id).length;
  const isEmpty = (batch.taken.get(id) ?? 0) < requested && !batch.moved.has(id);
  return isEmpty || batch.exhausted.has(id);
}
