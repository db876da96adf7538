import { type BatchTransactions } from './batch-transactions.js';
import { MAX_BATCH } from './batch-work.js';
import { DatabaseBusyError, isLockTimeout } from './database-errors.js';
import { dequeue, enqueue, type Entry, type KeysInUse, type Lane, type TeamsLeftOut } from './lane.js';
import { LOCK_WAITS, type TeamSemaphore } from './team-semaphore.js';

/** The parts that the retries share with the batches. */
export interface RetryContext<Item, Value> {
  transactions: BatchTransactions<Item, Value>;
  semaphore: TeamSemaphore;
  keys: KeysInUse;
  leftOut: TeamsLeftOut;
  /** Whether the team is left out of the batches, so that its retries also take its queued items. */
  isLeftOut: (lane: Lane<Item, Value>) => boolean;
  /** Called when some items of the lane are done. */
  onProgress: (lane: Lane<Item, Value>) => void;
}

/**
 * The states *in a retry* and *individual* of the micro-batcher; `batcher.ts` describes all states. A team has at most
 * one retry and one individual item under way.
 */
export class Retries<Item, Value> {
  constructor(private readonly context: RetryContext<Item, Value>) {}

  /** Retries the team's items, and those that arrive during the retries. */
  async retry(lane: Lane<Item, Value>): Promise<void> {
    const { semaphore, isLeftOut, onProgress } = this.context;
    if (lane.retrying) return;
    lane.retrying = true;
    let some: boolean;
    do some = await semaphore.run(lane.team, () => this.runRetry(lane));
    while (some && isLeftOut(lane));
    lane.retrying = false;
    onProgress(lane);
  }

  /** @returns whether there was an item. */
  private async runRetry(lane: Lane<Item, Value>): Promise<boolean> {
    const { keys, transactions } = this.context;
    const retried = lane.toRetry.slice(0, MAX_BATCH);
    retried.forEach(dequeue);
    const queued = lane.takeReady(keys, MAX_BATCH - retried.length);
    lane.retried += queued.length;
    const entries = [...retried, ...queued];
    if (entries.length === 0) return false;
    await transactions.run(entries, 'team', (entry, error) => {
      if (isLockTimeout(error)) this.tryAgain(entry, lane.toRetry, error);
      else {
        enqueue(entry, lane.individual);
        void this.runIndividuals(lane);
      }
    });
    return true;
  }

  private async runIndividuals(lane: Lane<Item, Value>): Promise<void> {
    const { semaphore, onProgress } = this.context;
    if (lane.runningIndividually) return;
    lane.runningIndividually = true;
    while (lane.individual.length > 0) {
      await semaphore.run(lane.team, () => this.runIndividually(lane));
      // Other items of the team may have waited for the item's key.
      if (lane.individual.length > 0) onProgress(lane);
    }
    lane.runningIndividually = false;
    onProgress(lane);
  }

  /** Runs the first of the team's individual items. If its locks are not free, it is appended behind the others. */
  private async runIndividually(lane: Lane<Item, Value>): Promise<void> {
    const { transactions } = this.context;
    const [entry] = lane.individual;
    if (entry === undefined) return;
    dequeue(entry);
    await transactions.run([entry], 'all', (_, error) => {
      if (error === undefined || isLockTimeout(error)) {
        const notFree = new DatabaseBusyError('The locks were not free in time');
        this.tryAgain(entry, lane.individual, error ?? notFree);
      } else transactions.end(entry, () => entry.reject(error));
    });
  }

  /** Appends the item to the queue, or rejects it after {@link LOCK_WAITS} waits. */
  private tryAgain(entry: Entry<Item, Value>, queue: Entry<Item, Value>[], error: unknown): void {
    entry.lockWaits += 1;
    this.context.leftOut.add(entry.lane.team);
    if (entry.lockWaits === LOCK_WAITS || entry.expired) {
      this.context.transactions.end(entry, () => entry.reject(error));
    } else enqueue(entry, queue);
  }
}
