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
 * The state of a wake-up.
 *
 * - `live`: the job is due and waits in a queue, is due within a minute, or is processed by a worker. In the
 *   queue of calls, a job counts as processed if a worker took it less than `patienceMs` ago. In the queue of
 *   a carrier, a job counts as processed as long as a running worker has it.
 * - `delivered`: the job exists and has no further effect. While a queue is paused, the state of its jobs does
 *   not show whether they will run. Until the queue resumes, they count as delivered.
 * - `lost`: no queue has the job, or its firing could not decide anything.
 */
export type WakeUpState = 'live' | 'delivered' | 'lost';

/** The most active jobs that are read from a queue. All workers together process fewer jobs at a time. */
const MAX_ACTIVE = 5_000;

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

/** The jobs that no queue has in any state. @throws Redis' error. */
export async function findMissing(redis: Redis, queues: Queue[], jobIds: string[]): Promise<Set<string>> {
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
      // The states are read in the order in which a job has them. A job that changes its state meanwhile is
      // therefore found.
      delayedUntil(redis, queue, jobIds),
      waiting(redis, queue, jobIds),
      active(redis, queue, MAX_ACTIVE),
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

/**
 * The state of a job that is not live. After a move to the queue of a carrier, the original queue keeps a
 * record of the job. If only that record is left, the job counts as delivered.
 */
async function deliveredOrLost(redis: Redis, queues: Queue[], jobId: string): Promise<'delivered' | 'lost'> {
  const jobs = await Promise.all(queues.map((queue) => endOf(redis, queue, jobId)));
  const undecided = jobs.some(({ failedReason }) => failedReason?.startsWith(UNDECIDED));
  return jobs.some(({ known }) => known) && !undecided ? 'delivered' : 'lost';
}

async function takenWithin(redis: Redis, queue: Queue, jobId: string, ms: number): Promise<boolean> {
  return Date.now() - (await takenAt(redis, queue, jobId)) < ms;
}
