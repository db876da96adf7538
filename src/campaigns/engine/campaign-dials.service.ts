import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { MAX_BATCH } from '../../database/batch-work.js';
import { WeightedShares } from '../../fairness/weighted-shares.js';
import { Pacer, PacingStoppedError } from '../../pacing/pacer.js';
import { WorkerEngineWakeUps } from '../../queue/engine-channel.js';
import { describeError } from '../../telemetry/describe-error.js';
import { DialLimit } from './dial-limit.js';
import { type DialSlots, type FreeSlots, PacedSlots, UnpacedSlots } from './dial-slots.js';
import { type DueCampaign } from './due-campaigns.js';
import { type DialedBatch, EngineDials } from './engine-dials.service.js';

/** Teams whose batches at carriers without a calls-per-second limit run at the same time. */
const TEAMS_AT_A_TIME = 4;
/** How long a round serves one team, before it serves the next one or looks for due campaigns again. */
const ROUND_MS = 500;
/** The engine looks each second anyway. For a shorter wait for a pacing limit, it is woken, but not more often than this. */
const PACED_LOOK_MS = { least: 20, most: 1_000 };

interface OpenCampaign extends DueCampaign {
  /** Of a paced carrier: the number of due calls that the last look has found, without those dialed since. */
  needed: number;
  /** Whether the last look has found due calls at other carriers, too. */
  isMixed: boolean;
}

/** Campaigns of one team with due calls, and the slots that they share by their weights. */
interface Task {
  teamId: string;
  slots: DialSlots;
  open: Map<string, OpenCampaign>;
}

/**
 * Has due calls of campaigns claimed and dialed, as slots become free. One loop serves a task: it waits for
 * slots, has a batch decided, and ends when nothing is due. A round has a task for each team, with the dials
 * that are free at carriers without a calls-per-second limit. A batch of it also finds calls at paced
 * carriers. Each team has a task for each of these carriers, with the carrier's pacing slots. It runs until
 * its calls are dialed, and no round waits for it.
 */
@Injectable()
export class CampaignDials {
  private readonly logger = new Logger(CampaignDials.name);
  /** Of dials at each paced carrier; null: at all other carriers. Triggered calls are counted separately. */
  private readonly limits = new Map<string | null, DialLimit>();
  /** The tasks at paced carriers, by team and carrier. */
  private readonly paced = new Map<string, Task>();
  private readonly running = new Set<Promise<unknown>>();
  private readonly stopping = new AbortController();
  private pacedLook: NodeJS.Timeout | undefined;
  /** When a round last claimed a call of each team, by the monotonic clock. */
  private readonly lastClaims = new Map<string, number>();

  constructor(
    private readonly dials: EngineDials,
    private readonly shares: WeightedShares,
    private readonly pacer: Pacer,
    private readonly wakeUps: WorkerEngineWakeUps,
    private readonly config: Config,
  ) {}

  /**
   * Serves each team for {@link ROUND_MS} at most. The team whose last claim is the oldest is first. After
   * `signal` aborts, no further batch begins.
   *
   * @param teams the due campaigns of each team. All others are forgotten.
   * @returns whether more may be due.
   */
  async runRound(teams: readonly DueCampaign[][], signal: AbortSignal): Promise<boolean> {
    this.keepOnly(teams.flat());
    const waiting = teams.map((team) => this.withoutTask(team)).filter((team) => team.length > 0);
    const lastClaimOf = ([campaign]: DueCampaign[]) => this.lastClaims.get(campaign?.teamId ?? '') ?? 0;
    waiting.sort((one, other) => lastClaimOf(one) - lastClaimOf(other));
    const teamsAtATime = Math.min(TEAMS_AT_A_TIME, waiting.length);
    let isMoreDue = false;
    const next = async () => {
      for (let team = waiting.shift(); team !== undefined; team = waiting.shift()) {
        const slots = new UnpacedSlots(this.limitOf(null), teamsAtATime, this.pacer.pacesAny);
        const open = new Map(team.map((campaign) => [campaign.id, opened(campaign)]));
        const task = { teamId: team[0]?.teamId ?? '', slots, open };
        if (await this.serve(task, signal, performance.now() + ROUND_MS)) isMoreDue = true;
      }
    };
    await Promise.all(Array.from({ length: TEAMS_AT_A_TIME }, next));
    return isMoreDue;
  }

  /** Waits until no task at a paced carrier is running. For tests. @returns whether any was running. */
  async settled(): Promise<boolean> {
    const ran = this.running.size > 0;
    while (this.running.size > 0) await Promise.all(this.running);
    return ran;
  }

  /**
   * From now on no task at a paced carrier claims a call. A task may still wait for a pacing slot, because
   * without Redis there are none.
   */
  stop(): void {
    this.stopping.abort();
    clearTimeout(this.pacedLook);
  }

  private keepOnly(due: readonly DueCampaign[]): void {
    this.shares.keepOnly(new Set(due.map(({ id }) => id)));
    const teams = new Set(due.map(({ teamId }) => teamId));
    for (const teamId of this.lastClaims.keys()) if (!teams.has(teamId)) this.lastClaims.delete(teamId);
  }

  /**
   * The campaigns that a round serves: those in no task at a paced carrier, and those with due calls at
   * several carriers. Updates the weights of the campaigns that are in a task.
   */
  private withoutTask(due: readonly DueCampaign[]): DueCampaign[] {
    const tasks = [...this.paced.values()];
    return due.filter(({ id, weight }) => {
      const paced = tasks.flatMap((task) => task.open.get(id) ?? []);
      for (const campaign of paced) campaign.weight = weight;
      return paced.every(({ isMixed }) => isMixed);
    });
  }

  /**
   * Adds a campaign to the task of its team and the carrier, if the carrier is paced. Starts the task if it is
   * not running.
   *
   * @param needed how many calls the campaign has at the carrier at least.
   */
  private dialPaced(carrier: string, campaign: DueCampaign, needed: number): void {
    if (this.stopping.signal.aborted || !this.pacer.paces(carrier)) return;
    const { id, teamId } = campaign;
    const key = keyOf(teamId, carrier);
    const known = this.paced.get(key);
    const slots = known?.slots ?? new PacedSlots(carrier, this.limitOf(carrier), this.pacer);
    const task = known ?? { teamId, slots, open: new Map<string, OpenCampaign>() };
    const waiting = task.open.get(id) ?? opened(campaign);
    waiting.needed = Math.max(waiting.needed, needed);
    task.open.set(id, waiting);
    if (known !== undefined) return;
    this.paced.set(key, task);
    const running = this.serve(task, this.stopping.signal).finally(() => this.running.delete(running));
    this.running.add(running);
  }

  private limitOf(carrier: string | null): DialLimit {
    const most = carrier === null ? this.config.workerConcurrency : this.pacer.dialsAtATime(carrier);
    const limit = this.limits.get(carrier) ?? new DialLimit(most);
    this.limits.set(carrier, limit);
    return limit;
  }

  /** Never throws: an error of one task stops no other. @returns whether more may be due. */
  private async serve(task: Task, signal: AbortSignal, until = Infinity): Promise<boolean> {
    const { teamId, slots, open } = task;
    try {
      while (open.size > 0 && !signal.aborted && performance.now() <= until) {
        // The worker may have stopped while the task waited for a pacing slot.
        await slots.use(until - performance.now(), (free) =>
          signal.aborted ? Promise.resolve(false) : this.claim(task, free),
        );
      }
    } catch (error) {
      if (!(error instanceof PacingStoppedError))
        this.logger.error({ message: `team not served: ${describeError(error)}`, teamId });
      return false;
    } finally {
      // At once, because a campaign that is added later needs a new task.
      this.paced.delete(keyOf(teamId, slots.carrier));
    }
    return open.size > 0;
  }

  /** Has a batch use the slots. @returns whether a call was claimed. @throws the database's error. */
  private async claim(task: Task, free: FreeSlots): Promise<boolean> {
    const { slots, open } = task;
    const isPaced = slots.carrier !== null;
    const most = Math.min(MAX_BATCH, slots.limit.most);
    let order = this.shares.share([...open.values()], free.count || most);
    const [first] = order.flatMap((id) => open.get(id) ?? []);
    // The calls that the last look has found are usually the first that are due. One enrollment is decided
    // for each, and for the last of them a batch, which finds the next ones.
    const isFound = isPaced && first !== undefined && first.needed > 1;
    if (isPaced && !isFound) order = order.flatMap((id) => Array<string>(most).fill(id));
    const batch = await this.dials.dialBatch(order, open, slots.limit, free.only);
    const hasClaimed = batch.dials.length > 0;
    this.lookAgain(batch.pacedMs);
    if (!isPaced) this.routePaced(task, batch);
    if (!isPaced && hasClaimed) this.lastClaims.set(task.teamId, performance.now());
    if (isFound) first.needed = hasClaimed ? first.needed - 1 : 0;
    else if (free.count > 0) for (const id of new Set(order)) this.close(task, id, batch);
    return hasClaimed;
  }

  /** Wakes the engine when a pacing limit allows the next call. */
  private lookAgain(pacedMs: number): void {
    const { least, most } = PACED_LOOK_MS;
    if (pacedMs >= most || this.pacedLook !== undefined || this.stopping.signal.aborted) return;
    this.pacedLook = setTimeout(
      () => {
        this.pacedLook = undefined;
        this.wakeUps.wake();
      },
      Math.max(least, pacedMs),
    );
  }

  private routePaced({ open }: Task, { undialed }: DialedBatch): void {
    for (const [carrier, counts] of undialed) {
      for (const [id, needed] of counts) {
        const campaign = open.get(id);
        if (campaign !== undefined) this.dialPaced(carrier, campaign, needed);
      }
    }
  }

  /** Notes what a batch has found of a campaign, which leaves the task if it has no more due. */
  private close({ slots, open }: Task, id: string, { undialed, over }: DialedBatch): void {
    const campaign = open.get(id);
    if (campaign === undefined) return;
    if (slots.carrier !== null) {
      const wasMixed = campaign.isMixed;
      campaign.needed = undialed.get(slots.carrier)?.get(id) ?? 0;
      campaign.isMixed = [...undialed.keys()].some((carrier) => carrier !== slots.carrier);
      // The next round serves a mixed campaign, too.
      if (campaign.isMixed && !wasMixed) this.wakeUps.wake();
    }
    if (over.has(id) && campaign.needed === 0) open.delete(id);
  }
}

function keyOf(teamId: string, carrier: string | null): string {
  return `${teamId} ${carrier}`;
}

function opened(campaign: DueCampaign): OpenCampaign {
  return { ...campaign, needed: 0, isMixed: false };
}
