import { Processor, WorkerHost } from '@nestjs/bullmq';
import { Logger } from '@nestjs/common';
import { DelayedError, type Job } from 'bullmq';
import { Config } from '../config/config.js';
import { describeError } from '../http/describe-error.js';
import { CALLS_QUEUE, type CallJobName, type CallJobs } from '../queue/call-jobs.js';
import { FireService } from './fire.service.js';

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

  /** Takes no more jobs and waits for those under way. */
  async stop(): Promise<void> {
    await this.worker.close();
  }

  /** @returns what came of the wake-up, for staff to read beside the job. */
  async process(job: Job<CallJobs[CallJobName], string, CallJobName>, token?: string): Promise<string> {
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
}

/** BullMQ keeps what a failed job threw, and staff see it: it must not quote rows, as errors of Postgres do. */
function withoutRows(error: unknown): never {
  if (error instanceof DelayedError) throw error;
  throw new Error(describeError(error));
}
