import { Injectable, Logger } from '@nestjs/common';
import { type Worker } from 'bullmq';

/** Pause before a loop that ended is restarted. */
const RETRY_MS = 1_000;

/**
 * The loops that take jobs off the queues in this process. A loop survives every loss of Redis, and should
 * end only when its BullMQ worker is closed. BullMQ does not report a loop that ends otherwise. Such a loop
 * is restarted, and readiness fails until it runs again.
 */
@Injectable()
export class JobLoops {
  private readonly logger = new Logger(JobLoops.name);
  private readonly ended = new Set<Worker>();

  /** Lets a worker take jobs until it is closed. */
  keep(worker: Worker): void {
    void this.run(worker);
  }

  /** Whether all loops run; true without any loop, as in the API. */
  get running(): boolean {
    return this.ended.size === 0;
  }

  private async run(worker: Worker): Promise<void> {
    while (!worker.closing) {
      let cause = 'without an error';
      try {
        const loop = worker.run();
        this.ended.delete(worker);
        await loop;
      } catch (error) {
        cause = error instanceof Error ? error.message : String(error);
      }
      if (worker.closing) return;
      this.ended.add(worker);
      this.logger.error(`the loop that takes jobs of ${worker.name} ended, ${cause}: it is begun again`);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
    }
  }
}
