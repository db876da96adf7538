import { Injectable, Logger } from '@nestjs/common';
import { MAX_BATCH } from '../../database/batch-work.js';
import { Pacer, type PacingSlot, PacingStoppedError } from '../../pacing/pacer.js';
import { WorkerEngineWakeUps } from '../../queue/engine-channel.js';
import { describeError } from '../../telemetry/describe-error.js';
import { DialLimit } from './dial-limit.js';
import { EngineDials } from './engine-dials.service.js';
import { WeightedShares } from '../../fairness/weighted-shares.js';
import { type DueCampaign } from './due-campaigns.js';

/** How long a task without a free dial waits before it checks again, in milliseconds. */
const FULL_MS = 500;

interface PacedCampaign extends DueCampaign {
  /** The number of pacing slots that its last batch has found necessary, without those used since. */
  needed: number;
  /** Whether its last batch has found due calls at other carriers. Rounds decide such a campaign, too. */
  isMixed: boolean;
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
 * decides the next batch of its due enrollments. Without a call that waits for the carrier, the campaign
 * leaves the task.
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
    private readonly shares: WeightedShares,
    private readonly pacer: Pacer,
    private readonly wakeUps: WorkerEngineWakeUps,
  ) {}

  /**
   * Adds a campaign to the task of its team and the carrier, if the carrier is paced. Starts the task if it is
   * not running.
   *
   * @param needed how many pacing slots of the carrier the campaign needs at least.
   */
  dial(carrier: string, campaign: DueCampaign, needed: number): void {
    if (this.stopped || !this.pacer.paces(carrier)) return;
    const { teamId, id } = campaign;
    const key = `${teamId} ${carrier}`;
    const running = this.tasks.get(key);
    const task = running ?? { teamId, carrier, campaigns: new Map<string, PacedCampaign>() };
    const known = task.campaigns.get(id) ?? { ...campaign, needed: 0, isMixed: false };
    known.needed = Math.max(known.needed, needed);
    task.campaigns.set(id, known);
    if (running === undefined) this.start(key, task);
  }

  /**
   * Updates the weights of the campaigns that are in a task.
   *
   * @returns the other campaigns, and those with due calls at several carriers.
   */
  withoutTask(due: readonly DueCampaign[]): DueCampaign[] {
    const tasks = [...this.tasks.values()];
    return due.filter(({ id, weight }) => {
      const paced = tasks.flatMap(({ campaigns }) => campaigns.get(id) ?? []);
      for (const campaign of paced) campaign.weight = weight;
      return paced.every(({ isMixed }) => isMixed);
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
    const running: Promise<void> = this.run(key, task).finally(() => this.running.delete(running));
    this.running.add(running);
  }

  /** Never throws. */
  private async run(key: string, task: Task): Promise<void> {
    const limit = this.limitOf(task);
    try {
      while (task.campaigns.size > 0 && !this.stopped) {
        const undecided = [...task.campaigns.values()].find(({ needed }) => needed === 0);
        if (undecided !== undefined) await this.attempt(task, undecided, this.decideNext(task, undecided));
        else if (limit.free === 0) await limit.waitForChange(FULL_MS);
        else await limit.reserve(1, () => this.dialNext(task));
      }
    } catch (error) {
      if (!(error instanceof PacingStoppedError)) this.logFailed(task, error);
    } finally {
      this.tasks.delete(key);
    }
  }

  /**
   * Registers a decision in progress, for which {@link stop} waits. If the decision fails, the campaign leaves
   * the task.
   */
  private async attempt(task: Task, { id }: PacedCampaign, decided: Promise<void>): Promise<void> {
    const attempted = decided.catch((error: unknown) => {
      task.campaigns.delete(id);
      this.logFailed(task, error);
    });
    this.deciding.add(attempted);
    await attempted.finally(() => this.deciding.delete(attempted));
  }

  private logFailed({ teamId }: Task, error: unknown): void {
    this.logger.error({ message: `team not served: ${describeError(error)}`, teamId });
  }

  /** The limit of the dials in progress, which the tasks of a carrier share. */
  private limitOf({ carrier }: Task): DialLimit {
    const limit = this.limits.get(carrier) ?? new DialLimit(this.pacer.dialsAtATime(carrier));
    this.limits.set(carrier, limit);
    return limit;
  }

  /**
   * Takes the carrier's next pacing slot. The campaign that is furthest behind its share gets it.
   *
   * @throws PacingStoppedError once the pacer has stopped. No call is dialed then.
   */
  private async dialNext(task: Task): Promise<void> {
    const { carrier, campaigns } = task;
    const pacingSlot = await this.pacer.take(carrier);
    await this.pacer.approach(carrier, pacingSlot);
    const [id = ''] = this.shares.share([...campaigns.values()], 1);
    const campaign = campaigns.get(id);
    if (this.stopped || campaign === undefined) return this.pacer.release(carrier, pacingSlot);
    await this.attempt(task, campaign, this.dialIn(pacingSlot, task, campaign));
  }

  /**
   * Dials the campaign's first due call at the carrier. This call usually belongs to the first due enrollment.
   * The task decides that enrollment first. If it dials no call, a batch decides the next ones, too. A campaign
   * without a call leaves the task.
   *
   * @throws the database's error. No call is dialed then.
   */
  private async dialIn(pacingSlot: PacingSlot, task: Task, campaign: PacedCampaign): Promise<void> {
    let isUsed = false;
    try {
      const first = await this.decide(task, campaign, 1, pacingSlot);
      if (first.dials.length > 0) {
        isUsed = true;
        campaign.needed -= 1;
        return;
      }
      const batch = await this.decideBatch(task, campaign, pacingSlot);
      isUsed = batch.dials.length > 0;
      if (!isUsed) task.campaigns.delete(campaign.id);
    } finally {
      if (!isUsed) this.pacer.release(task.carrier, pacingSlot);
    }
  }

  /**
   * Decides the campaign's next due enrollments without a pacing slot, so that no call is dialed. If no call
   * waits for the carrier, the campaign leaves the task.
   *
   * @throws the database's error.
   */
  private async decideNext(task: Task, campaign: PacedCampaign): Promise<void> {
    const { isMoreDue } = await this.decideBatch(task, campaign, null);
    if (isMoreDue) campaign.needed = 0;
    else if (campaign.needed === 0) task.campaigns.delete(campaign.id);
  }

  /** Decides a batch, or the first due enrollment if the batch fails. Counts the calls that wait for carriers. */
  private async decideBatch(task: Task, campaign: PacedCampaign, pacingSlot: PacingSlot | null) {
    const count = Math.min(MAX_BATCH, this.limitOf(task).most);
    const batch = await this.decide(task, campaign, count, pacingSlot).catch((error: unknown) => {
      this.logger.warn({ message: `batch not decided: ${describeError(error)}`, teamId: task.teamId });
      return this.decide(task, campaign, 1, pacingSlot);
    });
    const carriers = [...batch.undialed.keys()];
    const wasMixed = campaign.isMixed;
    campaign.isMixed = carriers.some((carrier) => carrier !== task.carrier);
    campaign.needed = batch.undialed.get(task.carrier)?.get(campaign.id) ?? 0;
    if (campaign.isMixed && !wasMixed) this.wakeUps.wake();
    return batch;
  }

  private async decide(task: Task, campaign: PacedCampaign, count: number, pacingSlot: PacingSlot | null) {
    const { carrier } = task;
    const order = Array.from({ length: count }, () => campaign.id);
    const open = new Map([[campaign.id, campaign]]);
    const batch = await this.dials.dialBatch(order, open, this.limitOf(task), { carrier, pacingSlot });
    return { ...batch, isMoreDue: open.has(campaign.id) };
  }
}
