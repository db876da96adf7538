import { type Queue } from 'bullmq';
import { type Redis } from 'ioredis';
import { CALLS_QUEUE } from './call-jobs.js';
import { SPREAD_OVER_MS } from './turn-taker.js';

/** More jobs than all workers together ever act upon. */
const MOST_ACTIVE = 5_000;

/** BullMQ's score of a delayed job is the millisecond at which it is due, and behind that a counter. */
const DELAYED_SCORES_A_MS = 0x1000;

/**
 * Which of the jobs wait in one of the queues, are about to be let into it with the others of their instant, or are acted upon:
 * were taken by a worker less than `patienceMs` ago, or wait in one that lives for their turn with a carrier. Jobs of a
 * queue that is paused are not among them: whether they are whole shows only when it goes on.
 *
 * @throws Redis' error.
 */
export async function findInHand(
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

async function takenWithin(redis: Redis, queue: Queue, jobId: string, ms: number): Promise<boolean> {
  return Date.now() - Number(await redis.hget(queue.toKey(jobId), 'processedOn')) < ms;
}

/** A worker renews its locks for as long as it lives. */
async function isLocked(redis: Redis, queue: Queue, jobId: string): Promise<boolean> {
  return (await redis.exists(`${queue.toKey(jobId)}:lock`)) === 1;
}
