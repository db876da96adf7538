import { type DialJob } from '../../queue/wake-ups.js';

/** The fields of a BullMQ job that the board shows. */
export interface ShownJob {
  name: string;
  data: unknown;
  timestamp: number;
  opts: unknown;
}

/**
 * A job's readable label: `Dial call 1a2b3c4d · due 2026-11-20 14:00 UTC · wake-up 2`. The label names no
 * person and no phone number, because a job holds neither.
 */
export function jobName({ name, data, timestamp, opts }: ShownJob): string {
  const job = dialJobOf(data);
  if (job === null) return name;
  const { delay } = (opts ?? {}) as { delay?: unknown };
  const waits = typeof delay === 'number' && delay > 0;
  const due = waits ? ` · due ${minuteOf(timestamp + delay)} UTC` : '';
  const again = job.generation > 0 ? ` · wake-up ${job.generation + 1}` : '';
  return `Dial call ${job.callRequestId.slice(0, 8)}${due}${again}`;
}

/**
 * The part of a job's data that the board shows. The id of the HTTP request is left out, because the client
 * may have chosen it.
 */
export function jobData(data: unknown): unknown {
  const job = dialJobOf(data);
  return job === null ? {} : { callRequestId: job.callRequestId, generation: job.generation };
}

/** The link from a job to the record of its call. */
export function callOf({ data }: ShownJob): { displayText: string; href: string } {
  const job = dialJobOf(data);
  return job === null
    ? { displayText: 'The platform', href: '/platform' }
    : { displayText: 'The call’s record', href: `/platform/calls/${encodeURIComponent(job.callRequestId)}` };
}

function dialJobOf(data: unknown): DialJob | null {
  if (typeof data !== 'object' || data === null) return null;
  const { callRequestId, generation } = data as Partial<DialJob>;
  return typeof callRequestId === 'string' && typeof generation === 'number'
    ? { callRequestId, generation }
    : null;
}

function minuteOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 16).replace('T', ' ');
}
