import { type Queue } from 'bullmq';
import { type Redis } from 'ioredis';
import { ownKey, waitingKey } from './bullmq-internals.js';
import { RANK_JOBS } from './rank-jobs.lua.js';

/** Ranks of a slot are counted until this long after it. */
const KEPT_AFTER_SLOT_MS = 3_600_000;
/** Slots are told apart by the minute; a clock that is a little off must not make two of one. */
const SLOT_MS = 60_000;

/** So many jobs of one second become due in each millisecond from their slot on. */
const RELEASED_A_MS = 3;

/** Within this they all do: where there are more than fit into it, they are the denser. */
export const SPREAD_OVER_MS = 60_000;

interface NewJob {
  teamId: string;
  /** How far off the slot is; 0: due now. */
  delayMs: number;
}

/** @see RANK_JOBS */
export interface JobRank {
  priority: number;
  /** Among all jobs of its second. */
  order: number;
}

type Scripted = Redis & {
  outdialRankJobs(keys: number, ...keysAndArguments: (string | number)[]): Promise<number[]>;
};

/**
 * Ranks new jobs among those of their teams, all in one command. A job goes through these states:
 *
 *     due now ─────────────────────rank──▶ waiting, by rank ──a worker is free──▶ active ──▶ ended
 *     scheduled ──rank, order──▶ delayed ──its slot, and spreadMs(order)──▶ waiting, by rank
 */
export class FairScheduler {
  private readonly redis: Scripted;

  constructor(redis: Redis) {
    redis.defineCommand('outdialRankJobs', { lua: RANK_JOBS });
    this.redis = redis as Scripted;
  }

  /** @throws Redis' error. */
  async rank(queue: Queue, jobs: NewJob[]): Promise<JobRank[]> {
    // The key is called as it always was: workers of the version before count in the same hash.
    const ranks = ownKey(queue, 'turns');
    const keys = [waitingKey(queue), ranks];
    const values: (string | number)[] = [];
    for (const { teamId, delayMs } of jobs) {
      const later = delayMs > 0;
      const at = Date.now() + delayMs;
      keys.push(later ? `${ranks}-${Math.round(at / SLOT_MS)}` : ranks);
      values.push(teamId, later ? Math.ceil(delayMs) + KEPT_AFTER_SLOT_MS : 0, Math.round(at / 1_000));
    }
    const answer = await this.redis.outdialRankJobs(keys.length, ...keys, ...values);
    return jobs.map((_, job) => ({ priority: answer[2 * job] ?? 1, order: answer[2 * job + 1] ?? 1 }));
  }
}

/**
 * How long after its slot a job becomes due, so that a hundred thousand of one instant do not occupy Redis for seconds:
 * it takes thirty microseconds for each, a thousand at a time and once for every worker that asks. Two workers take jobs
 * four times more slowly than this releases them. Where clocks make two seconds of an instant, they come twice as fast.
 *
 * @returns milliseconds
 */
export function spreadMs(order: number): number {
  return ((order - 1) / RELEASED_A_MS) % SPREAD_OVER_MS;
}
