import { type Queue } from 'bullmq';
import { type Redis } from 'ioredis';

/** More jobs than all workers together ever act upon. */
const MOST_ACTIVE = 5_000;

/**
 * Which of the jobs wait in one of the queues, or were taken by a worker less than `patienceMs` ago. Jobs of a queue that
 * is paused are not among them: whether they are whole shows only when it goes on.
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
    const since = await Promise.all(acted.map((id) => redis.hget(queue.toKey(id), 'processedOn')));
    for (const [index, id] of acted.entries()) {
      if (Date.now() - Number(since[index]) < patienceMs) found.add(id);
    }
  }
  return found;
}
