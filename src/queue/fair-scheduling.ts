import { type Queue } from 'bullmq';
import { type Redis } from 'ioredis';
import { addAndRun, type AddedJob, ownKey, waitingKey } from './bullmq-internals.js';
import { RANK_ADDED_JOBS, RANK_SCHEDULED_JOBS } from './rank-jobs.lua.js';

/** Redis keeps the last rank of each team for this long after the scheduled jobs are due. */
const KEPT_AFTER_DUE_MS = 3_600_000;
/**
 * Scheduled jobs are ranked separately for each due minute. Processes with slightly different clocks usually
 * compute the same minute.
 */
const MINUTE_MS = 60_000;

/**
 * How many scheduled jobs of one due second are released in each millisecond, from their due time on. A job
 * is released when its delay in BullMQ ends.
 */
const RELEASED_A_MS = 3;

/**
 * All jobs of a second are released within this time. If they are too many for {@link RELEASED_A_MS}, more
 * jobs are released in each millisecond.
 */
export const SPREAD_OVER_MS = 60_000;

const RANK_ADDED = 'outdialRankAddedJobs';

const ranksKey = (queue: Queue) => ownKey(queue, 'turns');

/** A job that is due now. */
export interface TeamJob extends AddedJob {
  teamId: string;
}

interface ScheduledJob {
  teamId: string;
  /** Time until the job is due. */
  delayMs: number;
}

/** @see RANK_SCHEDULED_JOBS */
export interface JobRank {
  priority: number;
  /** The order among all jobs of its due second. */
  order: number;
}

type Scripted = Redis & {
  outdialRankScheduledJobs(keys: number, ...keysAndArguments: (string | number)[]): Promise<number[]>;
};

/**
 * Gives each new job a rank, which is the virtual time of its team. The rank becomes the job's priority in
 * BullMQ, so jobs of all teams begin in the order of their ranks. A scheduled job also gets an order, which
 * postpones its release (see {@link spreadMs}). A job goes through these states:
 *
 *     due now ──added, and ranked, at once──▶ waiting, by rank ──a worker is free──▶ active ──▶ ended
 *     scheduled ──rank, order──▶ delayed ──its due time + spreadMs(order)──▶ waiting, by rank
 */
export class FairScheduler {
  private readonly redis: Scripted;

  /** @param redis the connection of the queues. */
  constructor(redis: Redis) {
    redis.defineCommand(RANK_ADDED, { lua: RANK_ADDED_JOBS });
    redis.defineCommand('outdialRankScheduledJobs', { lua: RANK_SCHEDULED_JOBS });
    this.redis = redis as Scripted;
  }

  /**
   * Adds jobs that are due now, with their ranks, in one transaction.
   *
   * @returns the rank of each added job. For a job that is already in the queue, 0; its rank is unchanged.
   * @throws Redis' error.
   */
  async add(queue: Queue, jobs: TeamJob[]): Promise<number[]> {
    const keys = [waitingKey(queue), ranksKey(queue), ...jobs.map(({ id }) => ownKey(queue, id))];
    const values = jobs.flatMap(({ id, teamId }) => [id, teamId]);
    return (await addAndRun(queue, jobs, RANK_ADDED, [keys.length, ...keys, ...values])) as number[];
  }

  /** Ranks jobs, which the caller then adds with these ranks and delays. @throws Redis' error. */
  async rankScheduled(queue: Queue, jobs: ScheduledJob[]): Promise<JobRank[]> {
    const keys: string[] = [];
    const values: (string | number)[] = [];
    for (const { teamId, delayMs } of jobs) {
      const at = Date.now() + delayMs;
      keys.push(`${ranksKey(queue)}-${Math.round(at / MINUTE_MS)}`);
      values.push(teamId, Math.ceil(delayMs) + KEPT_AFTER_DUE_MS, Math.round(at / 1_000));
    }
    const answer = await this.redis.outdialRankScheduledJobs(keys.length, ...keys, ...values);
    return jobs.map((_, job) => ({ priority: answer[2 * job] ?? 1, order: answer[2 * job + 1] ?? 1 }));
  }
}

/**
 * How long after its due time a scheduled job is released. Whenever a worker takes a job, Redis moves up to a
 * thousand released jobs to the waiting jobs. Each move takes thirty microseconds. If a hundred thousand jobs
 * of one instant were released at once, the moves would occupy Redis for seconds. Jobs are released four
 * times as fast as two workers take them, so two workers always find a job.
 *
 * The jobs of each due second have an order of their own. Two processes whose clocks differ may compute
 * different due seconds for jobs of the same instant. The jobs of both seconds are then released in parallel,
 * which is twice as fast.
 *
 * @returns milliseconds
 */
export function spreadMs(order: number): number {
  return ((order - 1) / RELEASED_A_MS) % SPREAD_OVER_MS;
}
