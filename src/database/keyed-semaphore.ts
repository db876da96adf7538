import { FairSemaphore } from '../fairness/fair-semaphore.js';
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

/** Bounds concurrent transactions, in all and of one key, which is a team. */
export class KeyedSemaphore extends FairSemaphore {
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

  protected override refusal(): Error {
    return new DatabaseBusyError('There was no permit in time');
  }
}
