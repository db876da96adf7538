import { type JobsOptions, type Queue } from 'bullmq';

/** The one place that names queues, jobs, their payloads and their ids. Payloads carry ids and names of carriers only. */
export const CALLS_QUEUE = 'calls';

/** Where wake-ups wait for their turn with a carrier that takes so many calls a second, so that nobody else waits. */
export function pacedQueue(carrier: string): string {
  return `${CALLS_QUEUE}-${carrier}`;
}

/** Wakes one call request up; `generation` tells a current wake-up from a stale one. */
export interface DialJob {
  callRequestId: string;
  generation: number;
  /** Of the HTTP request that asked for the call, for the log; only of a call that is due at once. */
  requestId?: string;
  /** Whose turn it takes; left out of what waits for a slot, since a hundred thousand of those have to fit into Redis. */
  teamId?: string;
  /** The carrier that the agent named; the firing finds out whether that still holds. Left out for the default one. */
  carrier?: string;
}

export interface CallJobs {
  dial: DialJob;
}

export type CallJobName = keyof CallJobs;

export type DialQueue = Queue<DialJob, void, CallJobName>;

/** Unique per wake-up. BullMQ keeps the old job when an id is added again, and forbids `:` in ids. */
export function dialJobId({ callRequestId, generation }: DialJob): string {
  return `call-${callRequestId}-${generation}`;
}

/** A failed job is not tried again by the queue: the row in Postgres is still pending then, and the sweeper wakes it. */
export const DIAL_JOB_OPTIONS: JobsOptions = { attempts: 1 };

/** How the reason of a failed job begins where nothing could be decided, for which Postgres or Redis is to blame. */
export const UNDECIDED = 'undecided: ';

/** Ended jobs are kept for staff to see, within bounds. Said by the worker, since each job would keep a copy of it. */
export const KEPT_JOBS = {
  removeOnComplete: { count: 1_000, age: 24 * 3600 },
  removeOnFail: { count: 1_000, age: 7 * 24 * 3600 },
} satisfies JobsOptions;
