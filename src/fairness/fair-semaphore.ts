import { Rotation } from './rotation.js';

interface Queue {
  running: number;
  waiting: (() => void)[];
}

/**
 * Bounds concurrent work: `permits` in all, `permitsPerKey` for one key. Work without a permit waits in the
 * queue of its key. The queues are served round-robin.
 */
export class FairSemaphore {
  /** The queues of the keys that have work, in the order in which they are served. */
  private readonly queues = new Rotation<Queue>();
  private free: number;

  constructor(
    permits: number,
    private readonly permitsPerKey: number,
  ) {
    this.free = permits;
  }

  /**
   * @param withinMs the longest wait for a permit; without this parameter, the wait has no limit.
   * @throws what {@link refusal} returns when there was no permit in time, or what `work` throws.
   */
  async run<T>(key: string, work: () => Promise<T>, withinMs?: number): Promise<T> {
    await this.permit(key, withinMs);
    try {
      return await work();
    } finally {
      this.release(key);
    }
  }

  /** The error of work that got no permit in time. */
  protected refusal(): Error {
    return new Error('There was no permit in time');
  }

  private permit(key: string, withinMs: number | undefined): Promise<void> {
    const { waiting } = this.queues.getOrAdd(key, () => ({ running: 0, waiting: [] }));
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        waiting.splice(waiting.indexOf(start), 1);
        this.forget(key);
        reject(this.refusal());
      };
      const timer = withinMs === undefined ? undefined : setTimeout(giveUp, withinMs);
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      waiting.push(start);
      this.startNext();
    });
  }

  private release(key: string): void {
    const queue = this.queues.get(key) as Queue;
    queue.running -= 1;
    this.free += 1;
    this.forget(key);
    this.startNext();
  }

  private forget(key: string): void {
    const queue = this.queues.get(key);
    if (queue?.running === 0 && queue.waiting.length === 0) this.queues.delete(key);
  }

  private startNext(): void {
    if (this.free === 0) return;
    for (const [key, queue] of this.queues) {
      if (queue.running === this.permitsPerKey) continue;
      const start = queue.waiting.shift();
      if (start === undefined) continue;
      this.free -= 1;
      queue.running += 1;
      this.queues.moveToEnd(key);
      start();
      return;
    }
  }
}
