import { type BatchWork, type LocksToWaitFor } from './batch-work.js';
import { mayBeOfOneStatement } from './database-errors.js';
import { type Entry, type KeysInUse } from './lane.js';

/** The transactions of a micro-batcher. Each processes several items and settles those that are done. */
export class BatchTransactions<Item, Value> {
  constructor(
    private readonly work: BatchWork<Item, Value>,
    private readonly keys: KeysInUse,
  ) {}

  /** @param retryLater called for an item for which nothing was done. */
  async run(
    entries: Entry<Item, Value>[],
    locks: LocksToWaitFor,
    retryLater: (entry: Entry<Item, Value>, error?: unknown) => void,
  ): Promise<void> {
    const items = entries.map(({ item }) => item);
    const retried = locks !== 'none';
    try {
      const outcomes = await this.work.run(items, locks);
      entries.forEach((entry, index) => {
        const outcome = outcomes[index];
        if (outcome?.done) this.end(entry, () => entry.resolve(outcome.value), retried);
        else retryLater(entry);
      });
    } catch (error) {
      for (const entry of entries) {
        // The whole batch was rolled back, although one item may be at fault.
        if (mayBeOfOneStatement(error)) retryLater(entry, error);
        else this.end(entry, () => entry.reject(error), retried);
      }
    }
  }

  /** Settles an item. @param retried whether its lane counts it as one of its retried ones. */
  end({ timer, key, lane }: Entry<Item, Value>, answer: () => void, retried = true): void {
    clearTimeout(timer);
    this.keys.release(key);
    if (retried) lane.retried -= 1;
    answer();
  }
}
