import { InjectQueue } from '@nestjs/bullmq';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { Config } from '../config/config.js';
import { Metrics } from '../telemetry/metrics.js';
import { DIAL_JOB_OPTIONS, dialJobId, type DialQueue } from './call-jobs.js';
import { FairScheduler, spreadMs } from './fair-scheduling.js';
import { CommandBatcher } from './command-batcher.js';
import { PacedQueues } from './paced-queues.js';
import { RedisEpoch } from './redis-epoch.js';
import { type QueueState, stateOf } from './queue-states.js';
import { type DialJob } from './wake-ups.js';
import { findMissing, findStates, type WakeUpState } from './wake-up-states.js';

/**
 * The name under which Nest injects the queue that adds jobs. The queue's name in Redis is `CALLS_QUEUE`,
 * under which the worker registers its processor.
 */
export const CALL_PRODUCER = 'calls-producer';

/**
 * The longest wait for a command. If a command takes longer, no call is lost: the call's row is committed
 * before its job is added, and the sweeper adds missing jobs.
 */
const ADD_TIMEOUT_MS = 1_000;

/** The most jobs that one command adds, so that Redis serves other clients in between. */
const MOST_AT_ONCE = 500;

/** A job to add. With a delay of 0, the job is due now. */
export interface DueJob {
  job: DialJob;
  delayMs: number;
}

/** Wake-ups of calls as jobs of BullMQ, best effort and bounded in time. Unless its comment says so, no method throws. */
@Injectable()
export class CallQueue implements BeforeApplicationShutdown {
  private readonly logger = new Logger(CallQueue.name);
  /** Detects that Redis lost jobs. */
  readonly epoch: RedisEpoch;
  private readonly scheduler: FairScheduler;
  private readonly batcher = new CommandBatcher<DueJob, boolean>(
    (wakeUps) => this.add(this.queue, wakeUps),
    MOST_AT_ONCE,
  );

  constructor(
    @InjectQueue(CALL_PRODUCER) private readonly queue: DialQueue,
    private readonly redis: Redis,
    private readonly metrics: Metrics,
    private readonly paced: PacedQueues,
    private readonly config: Config,
  ) {
    // The connection logs its own errors. Without this listener, the queue would also print them to the
    // console.
    queue.on('error', () => undefined);
    this.scheduler = new FairScheduler(redis);
    this.epoch = new RedisEpoch(redis, `${config.redisPrefix}:jobs-complete-in`, config.redisCluster);
  }

  /** Whether Redis accepts commands now. */
  get available(): boolean {
    return this.redis.status === 'ready';
  }

  /** Adds the wake-up of a call, due in `delayMs`. False when Redis did not confirm the wake-up. */
  wake(job: DialJob, delayMs = 0): Promise<boolean> {
    return this.batcher.add({ job, delayMs }).answer;
  }

  /** Waits for the wake-ups that no caller waits for. The connection to Redis is closed after this. */
  beforeApplicationShutdown(): Promise<void> {
    return this.batcher.settled();
  }

  /** Adds many wake-ups that are due now. */
  async wakeAll(jobs: DialJob[]): Promise<void> {
    for (let start = 0; start < jobs.length; start += MOST_AT_ONCE) {
      const some = jobs.slice(start, start + MOST_AT_ONCE);
      await this.add(
        this.queue,
        some.map((job) => ({ job, delayMs: 0 })),
      );
    }
  }

  /**
   * Puts a wake-up that is due into the queue of its carrier, where it waits for a pacing slot. False when
   * Redis did not confirm the wake-up.
   *
   * @param rank the rank of the job in the queue that it leaves. A job that names no team keeps this rank,
   *   unless the rank is 0. All other jobs are ranked again.
   */
  moveToCarrierQueue(job: DialJob, carrier: string, rank: number): Promise<boolean> {
    const queue = this.paced.get(carrier);
    const data = { ...job, carrier };
    if (job.teamId !== undefined || rank === 0) return this.add(queue, [{ job: data, delayMs: 0 }]);
    const opts = { ...DIAL_JOB_OPTIONS, jobId: dialJobId(job), priority: rank };
    return this.confirm([data], () => queue.add('dial', data, opts));
  }

  /**
   * Removes the wake-up of a call that is no longer pending. A wake-up that is not removed ends without
   * effect.
   */
  async forget(job: DialJob): Promise<void> {
    if (!this.available) return;
    const removals = this.queues.map((queue) => queue.remove(dialJobId(job)));
    await this.bounded({ callRequestId: job.callRequestId }, Promise.all(removals));
  }

  /** The number of jobs in each BullMQ state. @throws Redis' error. */
  async counts(): Promise<Record<string, number>> {
    const total: Record<string, number> = {};
    const states = ['waiting', 'prioritized', 'delayed', 'active', 'completed', 'failed'] as const;
    for (const counts of await Promise.all(this.queues.map((queue) => queue.getJobCounts(...states)))) {
      for (const [state, count] of Object.entries(counts)) total[state] = (total[state] ?? 0) + count;
    }
    return total;
  }

  /** The queues with their jobs by state and age; null when Redis did not answer in time. */
  async queueStates(): Promise<QueueState[] | null> {
    if (!this.available) return null;
    return this.answered({}, Promise.all(this.queues.map(stateOf)));
  }

  /** The state of each wake-up, in order; null when Redis did not answer in time. */
  statesOf(jobs: DialJob[]): Promise<WakeUpState[] | null> {
    return this.answered(
      { calls: jobs.length },
      findStates(this.redis, this.queues, jobs.map(dialJobId), this.config.sweeperGraceMs),
    );
  }

  /** Adds the missing jobs and returns them; null when Redis did not confirm. */
  async restore(wakeUps: DueJob[]): Promise<DueJob[] | null> {
    const ids = wakeUps.map(({ job }) => dialJobId(job));
    const missing = await this.answered({ calls: ids.length }, findMissing(this.redis, this.queues, ids));
    if (missing === null) return null;
    const lost = wakeUps.filter(({ job }) => missing.has(dialJobId(job)));
    return (await this.add(this.queue, lost)) ? lost : null;
  }

  /** The queue of calls, and the queues of the carriers that limit calls per second. */
  get queues(): DialQueue[] {
    return [this.queue, ...this.paced.all()];
  }

  private async add(queue: DialQueue, wakeUps: DueJob[]): Promise<boolean> {
    if (wakeUps.length === 0) return true;
    const now = wakeUps.filter(({ delayMs }) => delayMs <= 0);
    const later = wakeUps.filter(({ delayMs }) => delayMs > 0);
    return this.confirm(
      wakeUps.map(({ job }) => job),
      () => Promise.all([this.addDue(queue, now), this.addScheduled(queue, later)]),
    );
  }

  /** @returns whether Redis confirmed in time that these jobs were added. */
  private async confirm(jobs: DialJob[], add: () => Promise<unknown>): Promise<boolean> {
    const { callRequestId, requestId } = jobs[0] ?? {};
    const what = jobs.length === 1 ? { callRequestId, requestId } : { calls: jobs.length };
    const confirmed = this.available && (await this.bounded(what, add()));
    if (!confirmed) this.metrics.wakeUpsUnconfirmed(jobs.length);
    return confirmed;
  }

  private async addDue(queue: DialQueue, wakeUps: DueJob[]): Promise<void> {
    if (wakeUps.length === 0) return;
    const jobs = wakeUps.map(({ job }) => {
      const id = dialJobId(job);
      return { id, teamId: job.teamId ?? '', name: 'dial', data: job, opts: DIAL_JOB_OPTIONS };
    });
    await this.scheduler.add(queue, jobs);
  }

  private async addScheduled(queue: DialQueue, wakeUps: DueJob[]): Promise<void> {
    if (wakeUps.length === 0) return;
    const ranks = await this.scheduler.rankScheduled(
      queue,
      wakeUps.map(({ job, delayMs }) => ({ teamId: job.teamId ?? '', delayMs })),
    );
    const jobs = wakeUps.map(({ job, delayMs }, index) => {
      const { priority, order = 1 } = ranks[index] ?? {};
      const delay = Math.ceil(delayMs + spreadMs(order));
      return {
        name: 'dial' as const,
        data: { ...job, requestId: undefined, teamId: undefined },
        opts: { ...DIAL_JOB_OPTIONS, jobId: dialJobId(job), delay, priority },
      };
    });
    const [only] = jobs;
    if (jobs.length === 1 && only) await queue.add(only.name, only.data, only.opts);
    else await queue.addBulk(jobs);
  }

  /** null when Redis did not answer in time. */
  private async answered<T>(what: Record<string, unknown>, asked: Promise<T>): Promise<T | null> {
    let answer: T | null = null;
    await this.bounded(
      what,
      asked.then((value) => (answer = value)),
    );
    return answer;
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
      // The command may still fail after the timeout, when no caller waits for it.
      command.catch(() => undefined);
      return false;
    } finally {
      clearTimeout(timer);
    }
  }
}
