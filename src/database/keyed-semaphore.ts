import { DatabaseBusyError, isLockTimeout } from './database-errors.js';

/**
 * The maximum number of lock timeouts of a request or of an item of the micro-batcher. Each timeout takes
 * `LOCK_WAIT_MS`. Together, they take 3 seconds.
 */
export const LOCK_WAITS = 30;

/**
 * In milliseconds. After this time, a request that has no permit is refused, and so is an item that is still
 * in a queue of the micro-batcher.
 */
export const QUEUE_TIMEOUT_MS = 10_000;

interface Queue {
  running: number;
  waiting: (() => void)[];
}

/**
 * Bounds concurrent work: `permits` in all, `permitsPerKey` for one key, which is a team or the carrier host
 * of look-ups. Work without a permit waits in the queue of its key. The queues are served round-robin.
 */
export class KeyedSemaphore {
  /** The queues of the keys that have work, in the order in which they are served. */
  private readonly queues = new Map<string, Queue>();
  private free: number;

  constructor(
    permits: number,
    private readonly permitsPerKey: number,
  ) {
    this.free = permits;
  }

  /**
   * @param withinMs the longest wait for a permit; without this parameter, the wait has no limit.
   * @throws DatabaseBusyError when there was no permit in time, or what `work` throws.
   */
  async run<T>(key: string, work: () => Promise<T>, withinMs?: number): Promise<T> {
    await this.permit(key, withinMs);
    try {
      return await work();
    } finally {
      this.release(key);
    }
  }

  /**
   * Runs a transaction that limits its lock waits to `LOCK_WAIT_MS`, and runs it again after a lock timeout.
   * Between two attempts the transaction has neither a connection nor a permit. A lock that is held for long
   * therefore occupies neither.
   *
   * @throws DatabaseBusyError when there was no permit in time, or what `work` throws. A lock timeout is
   *   thrown only after attempt {@link LOCK_WAITS}.
   */
  async runWithLocks<T>(key: string, work: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + QUEUE_TIMEOUT_MS;
    for (let wait = 1; ; wait += 1) {
      try {
        return await this.run(key, work, Math.max(0, deadline - performance.now()));
      } catch (error) {
        if (!isLockTimeout(error) || wait === LOCK_WAITS) throw error;
      }
    }
  }

  private permit(key: string, withinMs: number | undefined): Promise<void> {
    let queue = this.queues.get(key);
    if (queue === undefined) this.queues.set(key, (queue = { running: 0, waiting: [] }));
    const { waiting } = queue;
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        waiting.splice(waiting.indexOf(start), 1);
        this.forget(key);
        reject(new DatabaseBusyError('There was no permit in time'));
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
      // From now on the key is served after all others.
      this.queues.delete(key);
      this.queues.set(key, queue);
      start();
      return;
    }
  }
}
