import { type BatchWork, type LocksToWaitFor } from '../batch-work.js';
import { DatabaseBusyError, mayBeOfOneStatement } from '../database-errors.js';
import { type Entry, type KeysInUse } from './team-queues.js';

/** The transactions of a micro-batcher. Each processes several items and settles those that are done. */
export class BatchTransactions<Item, Value> {
  constructor(
    private readonly work: BatchWork<Item, Value>,
    private readonly keys: KeysInUse,
  ) {}

  /**
   * @param retryLater is called for each item that the transaction left undone. An item that has expired is
   *   refused instead: its timer has fired already, so nothing else would refuse it.
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
      // An item that ran individually is rejected with its own error.
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
        // The whole batch was rolled back, although perhaps only one item caused the error.
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
