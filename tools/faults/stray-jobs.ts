import { Queue } from 'bullmq';
import { CALLS_QUEUE, type CallJobName } from '../../src/queue/call-jobs.js';
import { redisOptionsOf } from '../../src/queue/redis-options.js';
import { type DialJob } from '../../src/queue/wake-ups.js';
import { REDIS_PREFIX } from './environments.js';

export interface StrayJob {
  data: DialJob;
  jobId: string;
  /** Milliseconds. */
  delay?: number;
}

/** Adds jobs to the queue of a Redis, past the product. */
export async function addStrayJobs(redisUrl: string, jobs: StrayJob[]): Promise<void> {
  const queue = new Queue<DialJob, void, CallJobName>(CALLS_QUEUE, {
    connection: { ...redisOptionsOf(redisUrl), maxRetriesPerRequest: 1 },
    prefix: REDIS_PREFIX,
    skipMetasUpdate: true,
  });
  queue.on('error', () => undefined);
  try {
    await queue.addBulk(
      jobs.map(({ data, jobId, delay }) => ({
        name: 'dial',
        data,
        opts: { jobId, delay, removeOnComplete: true },
      })),
    );
  } finally {
    await queue.close();
  }
}
