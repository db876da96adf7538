import { restMs } from './rest.js';
import { RoundRobinQueue } from './round-robin-queue.js';

/**
 * Begins work that occupies the event loop for milliseconds: one piece at a time, round-robin by sender.
 * After each piece it rests for as long as the iteration with the piece took. However much work waits, the
 * queue takes at most about half of the process' time.
 */
export class RestingQueue {
  private readonly waiting = new RoundRobinQueue<() => void>();
  private resting = false;

  /** How much work waits. */
  get size(): number {
    return this.waiting.size;
  }

  /** Begins `work` now, or after other work and its rest. */
  add(sender: string, work: () => void): void {
    if (this.resting) this.waiting.add(sender, work);
    else this.begin(work);
  }

  private begin(work: () => void): void {
    this.resting = true;
    const began = performance.now();
    setImmediate(() => setTimeout(() => this.beginNext(), restMs(performance.now() - began)));
    work();
  }

  private beginNext(): void {
    this.resting = false;
    const [work] = this.waiting.take();
    if (work !== undefined) this.begin(work);
  }
}
