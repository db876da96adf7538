import { Injectable } from '@nestjs/common';
import { DialService } from '../../dialing/dial.service.js';
import { Metrics } from '../../telemetry/metrics.js';
import { ZoneDataInForce } from '../../database/zone-data-in-force.js';
import { type BatchResult, resultOf } from './batch-result.js';
import { BlockedCampaigns } from './blocked-campaigns.js';
import { type DialLimit } from './dial-limit.js';
import { type CarrierOfBatch, EngineService } from './engine.service.js';
import { WeightedShares } from '../../fairness/weighted-shares.js';
import { type DueCampaign } from './due-campaigns.js';
import { type DialToMake } from './persist.js';

/** Has batches decided, and dials the calls that they claim. */
@Injectable()
export class EngineDials {
  private readonly dialing = new Set<Promise<void>>();
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
   * waiting for the dials. Deletes a campaign from `campaigns` if it is exhausted or has no more enrollments
   * due.
   *
   * @param order ids of campaigns, one for each enrollment of the batch.
   * @param campaigns of one team.
   * @param limit counts the dials. The caller has reserved them.
   * @throws the database's error. No call is dialed then.
   */
  async dialBatch(
    order: readonly string[],
    campaigns: Map<string, DueCampaign>,
    limit: DialLimit,
    only?: CarrierOfBatch,
  ): Promise<BatchResult> {
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
    for (const id of new Set(order)) if (isOver(id, order, batch)) campaigns.delete(id);
    return batch;
  }

  /** Waits until no dial is in progress. */
  async settled(): Promise<void> {
    while (this.dialing.size > 0) await Promise.allSettled(this.dialing);
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
    const dialing: Promise<void> = this.dialer.dial(call).finally(() => this.dialing.delete(dialing));
    this.dialing.add(dialing);
    return dialing;
  }
}

function isOver(id: string, order: readonly string[], batch: BatchResult): boolean {
  const requested = order.filter((campaignId) => campaignId === id).length;
  const isEmpty = (batch.taken.get(id) ?? 0) < requested && !batch.moved.has(id);
  return isEmpty || batch.exhausted.has(id);
}
