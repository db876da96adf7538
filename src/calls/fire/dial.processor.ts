import { Processor, WorkerHost } from '@nestjs/bullmq';
import { Logger } from '@nestjs/common';
import { DelayedError, type Job, Worker } from 'bullmq';
import { CarrierRegistry } from '../../carriers/carrier-registry.js';
import { Config } from '../../config/config.js';
import { CommitUnknownError, isDatabaseUnavailable } from '../../database/database-errors.js';
import { describeError } from '../../telemetry/describe-error.js';
import { Pacer, type HeldPacingSlot, PacingStoppedError } from '../../pacing/pacer.js';
import { abandon } from '../../queue/bullmq-internals.js';
import {
  CALLS_QUEUE,
  type CallJobName,
  type CallJobs,
  KEPT_JOBS,
  pacedQueue,
  UNDECIDED,
} from '../../queue/call-jobs.js';
import { CallQueue } from '../../queue/call-queue.js';
import { type DialJob } from '../../queue/wake-ups.js';
import { JobLoops } from '../../queue/job-loops.js';
import { WorkerConnection } from '../../queue/worker-connection.js';
import { FireService } from './fire.service.js';

/**
 * The longest wait for the BullMQ workers to close, in milliseconds. The wait begins when the last job has
 * ended. Closing needs Redis.
 */
const CLOSE_MS = 2_000;

type Handlers = {
  [Name in CallJobName]: (data: CallJobs[Name], job: Job, token: string | undefined) => Promise<string>;
};

/**
 * The pause after Redis refused a command, for example when it is out of memory. BullMQ's default is 15
 * seconds.
 */
const RETRY_MS = 1_000;

const WORKER_OPTIONS = { autorun: false, maxStalledCount: 1, runRetryDelay: RETRY_MS, ...KEPT_JOBS };

/**
 * Processes the wake-ups of the queue as soon as the application is ready. A job that BullMQ delivers twice
 * is harmless, because the row of the call decides.
 */
@Processor(CALLS_QUEUE, WORKER_OPTIONS)
export class DialProcessor extends WorkerHost {
  private readonly logger = new Logger(DialProcessor.name);
  private readonly inProgress = new Set<Promise<string>>();

  // Typed by `CallJobs`, so a job without a handler does not compile.
  private readonly handlers: Handlers = {
    dial: async (data, job, token) => {
      const carrier = this.pacedCarriers.get(job.queueName);
      const named = data.carrier ?? this.carriers.defaultName;
      if (carrier === undefined && this.pacer.paces(named))
        return this.moveToCarrierQueue(data, job.priority, named);
      const held = carrier === undefined ? undefined : await this.takePacingSlot(carrier, job, token);
      const result = await this.fireService.fire(data, held);
      // The result has a delay instead of an instant. An instant would come from the clock of Postgres, and
      // BullMQ compares due times with the clock of a worker process.
      if (result.kind === 'early' || result.kind === 'put_off')
        return this.delayJob(job, result.delayMs, token);
      if (result.kind === 'other_carrier') return this.moveToCarrierQueue(data, job.priority, result.carrier);
      return result.kind === 'ignored' ? `ignored: ${result.why}` : result.kind;
    },
  };

  private readonly pacedCarriers = new Map<string, string>();
  private workers: Worker[] = [];

  constructor(
    private readonly fireService: FireService,
    private readonly config: Config,
    private readonly carriers: CarrierRegistry,
    private readonly wakeUps: CallQueue,
    private readonly pacer: Pacer,
    private readonly redis: WorkerConnection,
    private readonly loops: JobLoops,
  ) {
    super();
  }

  /** Starts to process jobs. To be invoked when the application is ready. */
  start(): void {
    this.worker.concurrency = this.config.workerConcurrency;
    this.workers = [this.worker, ...this.carriers.paced.map(({ name }) => this.pacedWorker(name))];
    for (const worker of this.workers) {
      worker.on('error', (error) => this.logger.warn(`queue: ${error.message}`));
      worker.on('failed', (job: Job<CallJobs[CallJobName]> | undefined, error) =>
        this.logger.error({ message: `job failed: ${error.message}`, ...job?.data }),
      );
      this.loops.keep(worker);
    }
  }

  /**
   * Stops accepting jobs, and waits for the jobs in progress. When these have ended, it waits at most 2
   * seconds for Redis to record their results.
   */
  async stop(): Promise<void> {
    this.pacer.stop();
    const closed = Promise.all(this.workers.map((worker) => worker.close()));
    if (await Promise.race([closed.then(() => true), this.idle().then(() => pause(CLOSE_MS))])) return;
    this.logger.warn('queue: not closed, because Redis does not answer');
    for (const worker of this.workers) {
      abandon(worker);
    }
  }

  /** @returns the result of the wake-up, which operations staff see with the job. */
  async process(job: Job<CallJobs[CallJobName], string, CallJobName>, token?: string): Promise<string> {
    const work = this.handle(job, token);
    this.inProgress.add(work);
    try {
      return await work;
    } finally {
      this.inProgress.delete(work);
    }
  }

  /**
   * Makes the BullMQ worker for the wake-ups of one carrier. It starts only as many jobs as keep the carrier
   * busy. The other jobs keep their rank in the queue, and other processes can start them.
   */
  private pacedWorker(carrier: string): Worker {
    const queueName = pacedQueue(carrier);
    this.pacedCarriers.set(queueName, carrier);
    return new Worker(
      queueName,
      (job, token) => this.process(job as Job<DialJob, string, CallJobName>, token),
      {
        ...WORKER_OPTIONS,
        connection: this.redis.connection,
        prefix: this.config.redisPrefix,
        concurrency: this.pacer.dialsAtATime(carrier),
      },
    );
  }

  private async takePacingSlot(
    carrier: string,
    job: Job,
    token: string | undefined,
  ): Promise<HeldPacingSlot> {
    try {
      const pacingSlot = await this.pacer.take(carrier);
      await this.pacer.approach(carrier, pacingSlot);
      return { carrier, pacingSlot };
    } catch (error) {
      if (error instanceof PacingStoppedError) return this.delayJob(job, 0, token);
      throw error;
    }
  }

  private async delayJob(job: Job, delayMs: number, token: string | undefined): Promise<never> {
    await job.moveToDelayed(Date.now() + delayMs, token);
    throw new DelayedError();
  }

  /** @throws JobNotMovedError if Redis did not confirm the move. The sweeper then wakes the call. */
  private async moveToCarrierQueue(data: DialJob, priority: number, carrier: string): Promise<string> {
    if (!(await this.wakeUps.moveToCarrierQueue(data, carrier, priority)))
      throw new JobNotMovedError('not moved to the queue of its carrier');
    return `waits for ${carrier}`;
  }

  private async handle(
    job: Job<CallJobs[CallJobName], string, CallJobName>,
    token?: string,
  ): Promise<string> {
    const startedAt = performance.now();
    const result = await this.handlers[job.name](job.data, job, token).catch(rethrowWithoutRows);
    this.logger.log({
      message: job.name,
      ...job.data,
      result,
      durationMs: Math.round(performance.now() - startedAt),
    });
    return result;
  }

  /** Waits for the jobs in progress, whether Redis can be reached or not. */
  private async idle(): Promise<void> {
    while (this.inProgress.size > 0) await Promise.allSettled(this.inProgress);
  }
}

function pause(ms: number): Promise<false> {
  // The timer does not keep the process alive.
  return new Promise((resolve) => setTimeout(resolve, ms, false).unref());
}

class JobNotMovedError extends Error {
  override name = 'JobNotMovedError';
}

/**
 * BullMQ stores the error of a failed job, and operations staff see it. Errors of Postgres can quote rows.
 * The job therefore fails with a new error, whose text {@link describeError} returns.
 */
function rethrowWithoutRows(error: unknown): never {
  if (error instanceof DelayedError) throw error;
  const undecided =
    error instanceof JobNotMovedError || error instanceof CommitUnknownError || isDatabaseUnavailable(error);
  throw new Error((undecided ? UNDECIDED : '') + describeError(error));
}
