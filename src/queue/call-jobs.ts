import { type JobsOptions, type Queue } from 'bullmq';
import { type DialJob, type WebhookWakeUp } from './wake-ups.js';

/** The one place that names queues, jobs, their payloads and their ids. */
export const CALLS_QUEUE = 'calls';

/**
 * The queue of wake-ups that wait for a pacing slot of one carrier. Calls of other carriers do not wait in
 * this queue.
 */
export function pacedQueue(carrier: string): string {
  return `${CALLS_QUEUE}-${carrier}`;
}

export interface CallJobs {
  dial: DialJob;
}

export type CallJobName = keyof CallJobs;

export type DialQueue = Queue<DialJob, void, CallJobName>;

/** Unique per wake-up. BullMQ keeps the existing job if an id is added again, and forbids `:` in ids. */
export function dialJobId({ callRequestId, generation }: DialJob): string {
  return `call-${callRequestId}-${generation}`;
}

/** The queue does not retry a failed job. If the call is still pending, the sweeper wakes it. */
export const DIAL_JOB_OPTIONS: JobsOptions = { attempts: 1 };

/** The beginning of a failed job's reason if a fault of Postgres or Redis prevented the decision. */
export const UNDECIDED = 'undecided: ';

/**
 * Ended jobs are kept for operations staff, within bounds. These are options of the worker, because options
 * of a job are stored with every job.
 */
export const KEPT_JOBS = {
  removeOnComplete: { count: 1_000, age: 24 * 3600 },
  removeOnFail: { count: 1_000, age: 7 * 24 * 3600 },
} satisfies JobsOptions;

/** The queue of wake-ups of webhook endpoints. */
export const WEBHOOKS_QUEUE = 'webhooks';

export type WebhookJobQueue = Queue<WebhookWakeUp, void, 'deliver'>;

/**
 * An endpoint has at most one job, however many deliveries it has: BullMQ adds no job with an id that exists.
 */
export function webhookJobId({ endpointId }: WebhookWakeUp): string {
  return `endpoint-${endpointId}`;
}

/** Ended jobs are not kept, because the id must be free for the next wake-up. */
export const WEBHOOK_JOB_OPTIONS = {
  attempts: 1,
  removeOnComplete: true,
  removeOnFail: true,
} satisfies JobsOptions;
