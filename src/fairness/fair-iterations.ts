import { RoundRobinQueue } from './round-robin-queue.js';

/**
 * Begins work of several senders: a bounded amount in each iteration of the event loop, round-robin by
 * sender.
 */
export class FairIterations {
  private readonly waiting = new RoundRobinQueue<() => void>();
  /** How much work began in the current iteration. */
  private begun = 0;
  private scheduled = false;

  constructor(private readonly maxPerIteration: number) {}

  /** Begins `work` now, or in a later iteration. */
  add(sender: string, work: () => void): void {
    this.endIterationSoon();
    if (this.waiting.size > 0 || this.begun >= this.maxPerIteration) {
      this.waiting.add(sender, work);
      return;
    }
    this.begun += 1;
    work();
  }

  /**
   * Ends the iteration with `setImmediate`, which runs after the loop has read the sockets. The next
   * iteration then begins the work that waits.
   */
  private endIterationSoon(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      this.begun = 0;
      this.beginIteration();
      if (this.begun > 0 || this.waiting.size > 0) this.endIterationSoon();
    });
  }

  private beginIteration(): void {
    for (const work of this.waiting.take()) {
      this.begun += 1;
      work();
      if (this.begun >= this.maxPerIteration) return;
    }
  }
}
