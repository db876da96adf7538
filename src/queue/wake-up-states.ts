import { type Queue } from 'bullmq';
import { type Redis } from 'ioredis';
import { CALLS_QUEUE, UNDECIDED } from './call-jobs.js';
import { SPREAD_OVER_MS } from './turn-taker.js';

/*
 * Reads BullMQ's keys, as its version 6 writes them: `test/queue/wake-up-states.spec.ts` holds it to that.
 */

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

/** BullMQ's score of a delayed job is the millisecond at which it is due, and behind that a counter. */
const DELAYED_SCORES_A_MS = 0x1000;

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
    await Promise.all(others.map(async (id) => [id, await endOf(redis, queues, id)] as const)),
  );
  return jobIds.map((id) => ends.get(id) ?? 'live');
}

/** Which jobs no queue knows, whatever their state. @throws Redis' error. */
export async function findUnknown(redis: Redis, queues: Queue[], jobIds: string[]): Promise<Set<string>> {
  const known = await Promise.all(
    jobIds.map(async (id) => {
      const keys = queues.map((queue) => queue.toKey(id));
      return (await redis.exists(...keys)) > 0;
    }),
  );
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
    const [paused, delayed, waiting, active] = await Promise.all([
      redis.hexists(queue.toKey('meta'), 'paused'),
      // In the order in which a job goes through them, so that none slips by.
      redis.zmscore(queue.toKey('delayed'), ...jobIds),
      redis.zmscore(queue.toKey('prioritized'), ...jobIds),
      redis.lrange(queue.toKey('active'), 0, MOST_ACTIVE),
    ]);
    if (paused === 1) continue;
    const letInBy = (Date.now() + SPREAD_OVER_MS) * DELAYED_SCORES_A_MS;
    for (const [index, id] of jobIds.entries()) {
      const dueAt = Number(delayed[index] ?? Infinity);
      if (typeof waiting[index] === 'string' || dueAt <= letInBy) found.add(id);
    }
    const taken = new Set(active);
    const acted = jobIds.filter((id) => taken.has(id));
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
async function endOf(redis: Redis, queues: Queue[], jobId: string): Promise<'delivered' | 'lost'> {
  const jobs = await Promise.all(
    queues.map((queue) => redis.hmget(queue.toKey(jobId), 'timestamp', 'failedReason')),
  );
  const known = jobs.some(([timestamp]) => typeof timestamp === 'string');
  const undecided = jobs.some(([, failedReason]) => failedReason?.startsWith(UNDECIDED));
  return known && !undecided ? 'delivered' : 'lost';
}

async function takenWithin(redis: Redis, queue: Queue, jobId: string, ms: number): Promise<boolean> {
  return Date.now() - Number(await redis.hget(queue.toKey(jobId), 'processedOn')) < ms;
}

/** A worker renews its locks for as long as it lives. */
async function isLocked(redis: Redis, queue: Queue, jobId: string): Promise<boolean> {
  return (await redis.exists(`${queue.toKey(jobId)}:lock`)) === 1;
}
