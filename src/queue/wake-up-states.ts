import { type Queue } from 'bullmq';
import { type Redis } from 'ioredis';
import { CALLS_QUEUE, UNDECIDED } from './call-jobs.js';
import {
  active,
  delayedUntil,
  endOf,
  isKnown,
  isLocked,
  isPaused,
  takenAt,
  waiting,
} from './bullmq-internals.js';
import { SPREAD_OVER_MS } from './fair-scheduling.js';

/**
 * What has become of a wake-up.
 *
 * - `live`: it waits in a queue, is about to be let into it with the others of its instant, or is acted upon: was taken by
 *   a worker less than a patience ago, or waits in one that lives for its slot with a carrier.
 * - `delivered`: Redis knows the job, and nothing more will come of it. Jobs of a queue that is paused count as this:
 *   whether they are whole shows only when it goes on.
 * - `lost`: no queue knows the job, or nothing could be decided when it was acted upon.
 */
export type WakeUpState = 'live' | 'delivered' | 'lost';

/** More jobs than all workers together ever act upon. */
const MOST_ACTIVE = 5_000;

/** @returns the state of each wake-up, in order. @throws Redis' error. */
export async function findStates(
  redis: Redis,
  queues: Queue[],
  jobIds: string[],
  patienceMs: number,
): Promise<WakeUpState[]> {
  const live = await findLive(redis, queues, jobIds, patienceMs);
  const others = jobIds.filter((id) => !live.has(id));
  const ends = new Map(
    await Promise.all(others.map(async (id) => [id, await deliveredOrLost(redis, queues, id)] as const)),
  );
  return jobIds.map((id) => ends.get(id) ?? 'live');
}

/** Which jobs no queue knows, whatever their state. @throws Redis' error. */
export async function findUnknown(redis: Redis, queues: Queue[], jobIds: string[]): Promise<Set<string>> {
  const known = await Promise.all(jobIds.map((id) => isKnown(redis, queues, id)));
  return new Set(jobIds.filter((_, index) => !known[index]));
}

async function findLive(
  redis: Redis,
  queues: Queue[],
  jobIds: string[],
  patienceMs: number,
): Promise<Set<string>> {
  const found = new Set<string>();
  if (jobIds.length === 0) return found;
  for (const queue of queues) {
    const [paused, dueAt, waits, taken] = await Promise.all([
      isPaused(redis, queue),
      // In the order in which a job goes through them, so that none slips by.
      delayedUntil(redis, queue, jobIds),
      waiting(redis, queue, jobIds),
      active(redis, queue, MOST_ACTIVE),
    ]);
    if (paused) continue;
    const letInBy = Date.now() + SPREAD_OVER_MS;
    for (const [index, id] of jobIds.entries()) {
      if (waits[index] || (dueAt[index] ?? Infinity) <= letInBy) found.add(id);
    }
    const activeIds = new Set(taken);
    const acted = jobIds.filter((id) => activeIds.has(id));
    const lively = await Promise.all(
      acted.map((id) =>
        queue.name === CALLS_QUEUE ? takenWithin(redis, queue, id, patienceMs) : isLocked(redis, queue, id),
      ),
    );
    for (const [index, id] of acted.entries()) if (lively[index]) found.add(id);
  }
  return found;
}

/** Of a job that is not live. A carrier's queue may have lost what the queue before it has handed on. */
async function deliveredOrLost(redis: Redis, queues: Queue[], jobId: string): Promise<'delivered' | 'lost'> {
  const jobs = await Promise.all(queues.map((queue) => endOf(redis, queue, jobId)));
  const undecided = jobs.some(({ failedReason }) => failedReason?.startsWith(UNDECIDED));
  return jobs.some(({ known }) => known) && !undecided ? 'delivered' : 'lost';
}

async function takenWithin(redis: Redis, queue: Queue, jobId: string, ms: number): Promise<boolean> {
  return Date.now() - (await takenAt(redis, queue, jobId)) < ms;
}
