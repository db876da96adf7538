import { type BatchWork, type LocksToWaitFor } from './batch-work.js';
import { DatabaseBusyError, mayBeOfOneStatement } from './database-errors.js';
import { type Entry, type KeysInUse } from './team-queues.js';

/** The transactions of a micro-batcher. Each processes several items and settles those that are done. */
export class BatchTransactions<Item, Value> {
  constructor(
    private readonly work: BatchWork<Item, Value>,
    private readonly keys: KeysInUse,
  ) {}

  /**
   * @param retryLater called for an item for which nothing was done. An item whose time has passed meanwhile
   *   is refused instead: nothing else would refuse it while it waits.
   */
  async run(
    entries: Entry<Item, Value>[],
    locks: LocksToWaitFor,
    retryLater: (entry: Entry<Item, Value>, error?: unknown) => void,
  ): Promise<void> {
    const items = entries.map(({ item }) => item);
    const retried = locks !== 'none';
    const retryOrRefuse = (entry: Entry<Item, Value>, error?: unknown) => {
      if (!entry.expired) return retryLater(entry, error);
      // An error of an item that ran individually is its own.
      const own = locks === 'all' ? error : undefined;
      const refusal = own ?? new DatabaseBusyError('The item was not done in time');
      this.end(entry, () => entry.reject(refusal), retried);
    };
    try {
      const results = await this.work.run(items, locks);
      entries.forEach((entry, index) => {
        const result = results[index];
        if (result?.done) this.end(entry, () => entry.resolve(result.value), retried);
        else retryOrRefuse(entry);
      });
    } catch (error) {
      for (const entry of entries) {
        // The whole batch was rolled back, although one item may be at fault.
        if (mayBeOfOneStatement(error)) retryOrRefuse(entry, error);
        else this.end(entry, () => entry.reject(error), retried);
      }
    }
  }

  /** Settles an item. @param retried whether its team counts it as retried. */
  end({ timer, key, queues }: Entry<Item, Value>, answer: () => void, retried = true): void {
    clearTimeout(timer);
    this.keys.release(key);
    if (retried) queues.retried -= 1;
    answer();
  }
}
