import { type DialQueue } from './call-jobs.js';

/** The states of jobs that have not ended, and those that have. */
export const JOB_STATES = ['waiting', 'delayed', 'active', 'completed', 'failed'] as const;
export type JobState = (typeof JOB_STATES)[number];

/** A queue of wake-ups, as operators see it. */
export interface QueueState {
  /** Of the queue in Redis, `calls` or `calls-` and the carrier. */
  name: string;
  /** Whether it is paused on the board, so that its jobs are not taken. */
  paused: boolean;
  /** The number of jobs; `waiting` has those with a rank, too. */
  jobs: Record<JobState, number>;
  /** When the job that is taken next was due; null: none waits. */
  waitingSince: Date | null;
  /** When the first job of those that wait for their time is due. */
  nextDueAt: Date | null;
  /** When the job that is in work for the longest was taken. */
  activeSince: Date | null;
}

/** @throws Redis' error. */
export async function stateOf(queue: DialQueue): Promise<QueueState> {
  const [counts, paused, [ranked], [plain], [delayed], [active]] = await Promise.all([
    queue.getJobCounts('waiting', 'prioritized', 'delayed', 'active', 'completed', 'failed'),
    queue.isPaused(),
    queue.getJobs(['prioritized'], 0, 0, true),
    queue.getJobs(['waiting'], 0, 0, true),
    queue.getJobs(['delayed'], 0, 0, true),
    queue.getJobs(['active'], 0, 0, true),
  ]);
  const next = plain ?? ranked;
  const of = (state: string) => counts[state] ?? 0;
  return {
    name: queue.name,
    paused,
    jobs: {
      waiting: of('waiting') + of('prioritized'),
      delayed: of('delayed'),
      active: of('active'),
      completed: of('completed'),
      failed: of('failed'),
    },
    waitingSince: next === undefined ? null : new Date(next.timestamp + (next.opts.delay ?? 0)),
    nextDueAt: delayed === undefined ? null : new Date(delayed.timestamp + delayed.delay),
    activeSince: active?.processedOn === undefined ? null : new Date(active.processedOn),
  };
}
