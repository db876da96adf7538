import { Processor, WorkerHost } from '@nestjs/bullmq';
import { Logger } from '@nestjs/common';
import { DelayedError, type Job } from 'bullmq';
import { Config } from '../config/config.js';
import { describeError } from '../http/describe-error.js';
import { CALLS_QUEUE, type CallJobName, type CallJobs } from '../queue/call-jobs.js';
import { FireService } from './fire.service.js';

/** Closing asks Redis, which may be away; the jobs themselves have ended by then. */
const CLOSE_MS = 2_000;

type Handlers = {
  [Name in CallJobName]: (data: CallJobs[Name], job: Job, token: string | undefined) => Promise<string>;
};

/** Pause after Redis refused a command, as when it is out of memory; BullMQ's own is 15 seconds. */
const RETRY_MS = 1_000;

/**
 * Takes wake-ups off the queue. Paused until the application is ready. A job that BullMQ gives out twice is harmless,
 * because the row decides.
 */
@Processor(CALLS_QUEUE, { autorun: false, maxStalledCount: 1, runRetryDelay: RETRY_MS })
export class DialProcessor extends WorkerHost {
  private readonly logger = new Logger(DialProcessor.name);
  private readonly underWay = new Set<Promise<string>>();

  // Typed by the catalogue, so that a job without a handler does not compile.
  private readonly handlers: Handlers = {
    dial: async (data, job, token) => {
      const result = await this.fireService.fire(data);
      if (result.kind === 'early') {
        // Relative to this worker's clock, which is the one that fires the job, whatever the hour it shows.
        await job.moveToDelayed(Date.now() + result.delayMs, token);
        throw new DelayedError();
      }
      return result.kind === 'ignored' ? `ignored: ${result.why}` : result.kind;
    },
  };

  constructor(
    private readonly fireService: FireService,
    private readonly config: Config,
  ) {
    super();
  }

  /** Begins to take jobs; the application is ready by then. */
  start(): void {
    this.worker.concurrency = this.config.workerConcurrency;
    this.worker.on('error', (error) => this.logger.warn(`queue: ${error.message}`));
    this.worker.on('failed', (job: Job<CallJobs[CallJobName]> | undefined, error) =>
      this.logger.error({ message: `job failed: ${error.message}`, ...job?.data }),
    );
    void this.worker.run().catch((error: unknown) => this.logger.error(`queue: ${String(error)}`));
  }

  /** Takes no more jobs, waits for those under way, and a while for Redis to hear of it. */
  async stop(): Promise<void> {
    const closed = this.worker.close();
    if (await Promise.race([closed.then(() => true), this.idle().then(() => pause(CLOSE_MS))])) return;
    this.logger.warn('queue: not closed, because Redis does not answer');
    // Waits for Redis for ever, too; but its connections are cut off at once.
    this.worker.disconnect().catch(() => undefined);
    // Nest closes every worker once more, and would wait for the very same promise.
    this.worker.close = () => Promise.resolve();
  }

  /** @returns what came of the wake-up, for staff to read beside the job. */
  async process(job: Job<CallJobs[CallJobName], string, CallJobName>, token?: string): Promise<string> {
    const work = this.handle(job, token);
    this.underWay.add(work);
    try {
      return await work;
    } finally {
      this.underWay.delete(work);
    }
  }

  private async handle(
    job: Job<CallJobs[CallJobName], string, CallJobName>,
    token?: string,
  ): Promise<string> {
    const startedAt = performance.now();
    const result = await this.handlers[job.name](job.data, job, token).catch(withoutRows);
    this.logger.log({
      message: job.name,
      ...job.data,
      result,
      durationMs: Math.round(performance.now() - startedAt),
    });
    return result;
  }

  /** Waits for the jobs that are under way, whether Redis can hear of their end or not. */
  private async idle(): Promise<void> {
    while (this.underWay.size > 0) await Promise.allSettled(this.underWay);
  }
}

function pause(ms: number): Promise<false> {
  // Nobody else has to wait for it.
  return new Promise((resolve) => setTimeout(resolve, ms, false).unref());
}

/** BullMQ keeps what a failed job threw, and staff see it: it must not quote rows, as errors of Postgres do. */
function withoutRows(error: unknown): never {
  if (error instanceof DelayedError) throw error;
  throw new Error(describeError(error));
}
