import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, Logger } from '@nestjs/common';
import { type Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { Metrics } from '../telemetry/metrics.js';
import { type CallJobName, DIAL_JOB_OPTIONS, type DialJob, dialJobId } from './call-jobs.js';

/** The name under which the producing queue is injected; `CALLS_QUEUE` itself stays free for the worker's settings. */
export const CALL_PRODUCER = 'calls-producer';

/** Adding a job may take no longer than this: the row is stored already, and the sweeper wakes what was not added. */
const ADD_TIMEOUT_MS = 1_000;

/** Puts wake-ups into Redis, best effort and bounded in time; never throws. */
@Injectable()
export class CallQueue {
  private readonly logger = new Logger(CallQueue.name);

  constructor(
    @InjectQueue(CALL_PRODUCER) private readonly queue: Queue<DialJob, void, CallJobName>,
    private readonly redis: Redis,
    private readonly metrics: Metrics,
  ) {
    // The connection logs its errors itself; without a listener the queue would print them past the log.
    queue.on('error', () => undefined);
  }

  /** Whether a wake-up has a chance to be stored at this moment. */
  get available(): boolean {
    return this.redis.status === 'ready';
  }

  /** Adds the wake-up of a call, due in `delayMs`. False when it could not be confirmed. */
  async wake(job: DialJob, delayMs = 0): Promise<boolean> {
    const options = { ...DIAL_JOB_OPTIONS, jobId: dialJobId(job), delay: Math.max(0, Math.ceil(delayMs)) };
    const { callRequestId, requestId } = job;
    const confirmed =
      this.available &&
      (await this.bounded({ callRequestId, requestId }, this.queue.add('dial', job, options)));
    if (!confirmed) this.metrics.wakeUpsUnconfirmed();
    return confirmed;
  }

  /** Adds many wake-ups that are due now. */
  async wakeAll(jobs: DialJob[]): Promise<void> {
    if (jobs.length === 0 || !this.available) return;
    const adds = jobs.map((data) => ({
      name: 'dial' as const,
      data,
      opts: { ...DIAL_JOB_OPTIONS, jobId: dialJobId(data) },
    }));
    const confirmed = await this.bounded({ calls: jobs.length }, this.queue.addBulk(adds));
    if (!confirmed) this.metrics.wakeUpsUnconfirmed(jobs.length);
  }

  /** Removes the wake-up of a call that will not be dialed any more; without it the job would end without effect. */
  async forget(job: DialJob): Promise<void> {
    if (!this.available) return;
    await this.bounded({ callRequestId: job.callRequestId }, this.queue.remove(dialJobId(job)));
  }

  /** How many wake-ups there are in each state, as Redis has them now. @throws Redis' error. */
  counts(): Promise<Record<string, number>> {
    return this.queue.getJobCounts('waiting', 'prioritized', 'delayed', 'active', 'completed', 'failed');
  }

  private async bounded(what: Record<string, unknown>, command: Promise<unknown>): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Error(`Redis did not answer in ${ADD_TIMEOUT_MS} ms`)),
        ADD_TIMEOUT_MS,
      );
    });
    try {
      await Promise.race([command, timeout]);
      return true;
    } catch (error) {
      this.logger.warn({ message: `not confirmed by Redis: ${(error as Error).message}`, ...what });
      // The command may still fail after the timeout, when nobody waits for it.
      command.catch(() => undefined);
      return false;
    } finally {
      clearTimeout(timer);
    }
  }
}
