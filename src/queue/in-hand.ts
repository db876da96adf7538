import { type Queue } from 'bullmq';
import { type Redis } from 'ioredis';
import { CALLS_QUEUE } from './call-jobs.js';

/** More jobs than all workers together ever act upon. */
const MOST_ACTIVE = 5_000;

/**
 * Which of the jobs wait in one of the queues, or are acted upon: were taken by a worker less than `patienceMs` ago, or
 * wait in one that lives for their turn with a carrier. Jobs of a queue that is paused are not among them: whether they
 * are whole shows only when it goes on.
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
    const [paused, scores, active] = await Promise.all([
      redis.hexists(queue.toKey('meta'), 'paused'),
      redis.zmscore(queue.toKey('prioritized'), ...jobIds),
      redis.lrange(queue.toKey('active'), 0, MOST_ACTIVE),
    ]);
    if (paused === 1) continue;
    for (const [index, score] of scores.entries()) {
      const id = jobIds[index];
      if (score !== null && id !== undefined) found.add(id);
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
