import { type BatchTransactions } from './batch-transactions.js';
import { MAX_BATCH } from './batch-work.js';
import { DatabaseBusyError, isLockTimeout } from './database-errors.js';
import { dequeue, enqueue, type Entry, type KeysInUse, type Lane, type TeamsApart } from './lane.js';
import { LOCK_WAITS, type TeamSemaphore } from './team-semaphore.js';

/** The parts that the retries share with the batches. */
export interface RetryContext<Item, Value> {
  transactions: BatchTransactions<Item, Value>;
  semaphore: TeamSemaphore;
  keys: KeysInUse;
  apart: TeamsApart;
  /** Whether the team's queued items go into its retries. */
  isApart: (lane: Lane<Item, Value>) => boolean;
  /** Some items of the lane are done. */
  onProgress: (lane: Lane<Item, Value>) => void;
}

/**
 * The states *in a retry* and *individual* of the micro-batcher, whose states are drawn in `batcher.ts`. One retry and
 * one individual item of a team are under way at a time.
 */
export class Retries<Item, Value> {
  constructor(private readonly context: RetryContext<Item, Value>) {}

  /** Retries the team's items, and those that come meanwhile. */
  async retry(lane: Lane<Item, Value>): Promise<void> {
    const { semaphore, isApart, onProgress } = this.context;
    if (lane.retrying) return;
    lane.retrying = true;
    let some: boolean;
    do some = await semaphore.run(lane.team, () => this.runRetry(lane));
    while (some && isApart(lane));
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
      // Others of the team may have waited for its key.
      if (lane.individual.length > 0) onProgress(lane);
    }
    lane.runningIndividually = false;
    onProgress(lane);
  }

  /** The first of the team's individual items; without its locks it goes behind the others. */
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

  /** Behind the others of the queue, up to a number of times. */
  private tryAgain(entry: Entry<Item, Value>, queue: Entry<Item, Value>[], error: unknown): void {
    entry.lockWaits += 1;
    this.context.apart.add(entry.lane.team);
    if (entry.lockWaits === LOCK_WAITS || entry.expired) {
      this.context.transactions.end(entry, () => entry.reject(error));
    } else enqueue(entry, queue);
  }
}
