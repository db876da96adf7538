import { Injectable, Logger } from '@nestjs/common';
import { MAX_BATCH } from '../../database/batch-work.js';
import { Pacer, type PacingSlot, PacingStoppedError } from '../../pacing/pacer.js';
import { WorkerEngineWakeUps } from '../../queue/engine-channel.js';
import { describeError } from '../../telemetry/describe-error.js';
import { DialLimit } from './dial-limit.js';
import { EngineDials } from './engine-dials.service.js';
import { type DueCampaign, FairShares } from './fair-shares.js';

/** While no dial is free, a task looks again after this time, in milliseconds. */
const FULL_MS = 500;

interface PacedCampaign extends DueCampaign {
  /** How many pacing slots it needs, as far as its last batch has shown. */
  needed: number;
}

/** One team's campaigns with calls due at one paced carrier. */
interface Task {
  teamId: string;
  carrier: string;
  campaigns: Map<string, PacedCampaign>;
}

/**
 * Dials the calls of campaigns at carriers with a calls-per-second limit. A task for each team and carrier
 * waits for the carrier's pacing slots. Nothing else of the engine waits for them. The campaigns of a task
 * share its pacing slots by their weights. When a campaign has used the pacing slots that it needed, the task
 * decides the next batch of its due enrollments.
 */
@Injectable()
export class PacedCampaigns {
  private readonly logger = new Logger(PacedCampaigns.name);
  /** By team and carrier. */
  private readonly tasks = new Map<string, Task>();
  /** By carrier. */
  private readonly limits = new Map<string, DialLimit>();
  private readonly running = new Set<Promise<void>>();
  private readonly deciding = new Set<Promise<unknown>>();
  private stopped = false;

  constructor(
    private readonly dials: EngineDials,
    private readonly shares: FairShares,
    private readonly pacer: Pacer,
    private readonly wakeUps: WorkerEngineWakeUps,
  ) {}

  /**
   * Adds a campaign to the task of its team and the carrier. Starts the task if it is not running.
   *
   * @param needed how many pacing slots of the carrier the campaign needs.
   */
  dial(carrier: string, campaign: DueCampaign, needed: number): void {
    if (this.stopped) return;
    const { teamId } = campaign;
    const key = `${teamId} ${carrier}`;
    const running = this.tasks.get(key);
    const task = running ?? { teamId, carrier, campaigns: new Map<string, PacedCampaign>() };
    task.campaigns.set(campaign.id, { ...campaign, needed });
    if (running === undefined) this.start(key, task);
  }

  /** Updates the weights of the campaigns that are in a task. @returns the other campaigns. */
  withoutTask(due: readonly DueCampaign[]): DueCampaign[] {
    const tasks = [...this.tasks.values()];
    return due.filter(({ id, weight }) => {
      const paced = tasks.flatMap(({ campaigns }) => campaigns.get(id) ?? []);
      for (const campaign of paced) campaign.weight = weight;
      return paced.length === 0;
    });
  }

  /** Waits until no task is running. For tests. @returns whether any task was running. */
  async settled(): Promise<boolean> {
    const ran = this.running.size > 0;
    while (this.running.size > 0) await Promise.all(this.running);
    return ran;
  }

  /**
   * From now on no task claims a call. Waits for the claims in progress, but not for pacing slots. Without
   * Redis there are none.
   */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.allSettled(this.deciding);
  }

  private start(key: string, task: Task): void {
    this.tasks.set(key, task);
    const running: Promise<void> = this.run(task).finally(() => {
      this.tasks.delete(key);
      this.running.delete(running);
    });
    this.running.add(running);
  }

  /** Never throws. */
  private async run(task: Task): Promise<void> {
    const limit = this.limitOf(task.carrier);
    try {
      while (task.campaigns.size > 0 && !this.stopped) {
        const undecided = [...task.campaigns.values()].find(({ needed }) => needed === 0);
        if (undecided !== undefined) await this.whileDeciding(this.decideNext(task, undecided));
        else if (limit.free === 0) await limit.waitForChange(FULL_MS);
        else await limit.reserve(1, () => this.dialNext(task));
      }
    } catch (error) {
      if (error instanceof PacingStoppedError) return;
      this.logger.error({ message: `team not served: ${describeError(error)}`, teamId: task.teamId });
    }
  }

  /** How many dials of all tasks of a carrier are in progress at a time. */
  private limitOf(carrier: string): DialLimit {
    const limit = this.limits.get(carrier) ?? new DialLimit(this.pacer.dialsAtATime(carrier));
    this.limits.set(carrier, limit);
    return limit;
  }

  /**
   * Decides the campaign's next due enrollments, and dials none of its calls. Deletes the campaign from the
   * task if no call waits for the carrier.
   *
   * @throws the database's error.
   */
  private async decideNext({ carrier, campaigns }: Task, campaign: PacedCampaign): Promise<void> {
    const { id } = campaign;
    const limit = this.limitOf(carrier);
    const order = Array.from({ length: Math.min(MAX_BATCH, limit.most) }, () => id);
    const open = new Map([[id, campaign]]);
    const { undialed } = await this.dials.dialBatch(order, open, limit, { carrier, pacingSlot: null });
    if (open.has(id)) return;
    campaign.needed = undialed.get(carrier)?.get(id) ?? 0;
    if (campaign.needed > 0) return;
    campaigns.delete(id);
    if (undialed.size > 0) this.wakeUps.wake();
  }

  /**
   * Dials a call of the campaign whose turn it is, in the carrier's next pacing slot.
   *
   * @throws PacingStoppedError; the database's error. No call is dialed then.
   */
  private async dialNext({ carrier, campaigns }: Task): Promise<void> {
    const pacingSlot = await this.pacer.take(carrier);
    await this.pacer.approach(carrier, pacingSlot);
    const [id = ''] = this.shares.share([...campaigns.values()], 1);
    const campaign = campaigns.get(id);
    if (this.stopped || campaign === undefined) return this.pacer.release(carrier, pacingSlot);
    await this.whileDeciding(this.dialIn(pacingSlot, carrier, campaign));
  }

  private async dialIn(pacingSlot: PacingSlot, carrier: string, campaign: PacedCampaign): Promise<void> {
    let isUsed = false;
    try {
      const open = new Map([[campaign.id, campaign]]);
      const limit = this.limitOf(carrier);
      const { dials } = await this.dials.dialBatch([campaign.id], open, limit, { carrier, pacingSlot });
      isUsed = dials.length > 0;
      campaign.needed = isUsed ? campaign.needed - 1 : 0;
    } finally {
      if (!isUsed) this.pacer.release(carrier, pacingSlot);
    }
  }

  /** Lets {@link stop} wait for a claim. */
  private async whileDeciding(decided: Promise<void>): Promise<void> {
    this.deciding.add(decided);
    await decided.finally(() => this.deciding.delete(decided));
  }
}
