import { type BatchTransactions } from './batch-transactions.js';
import { MAX_BATCH } from '../batch-work.js';
import { DatabaseBusyError, isLockTimeout } from '../database-errors.js';
import {
  dequeue,
  enqueue,
  type Entry,
  type KeysInUse,
  type TeamQueues,
  type TeamsLeftOut,
} from './team-queues.js';
import { LOCK_WAITS, type KeyedSemaphore } from '../keyed-semaphore.js';

/** The parts that the retries share with the batches. */
export interface RetryContext<Item, Value> {
  transactions: BatchTransactions<Item, Value>;
  semaphore: KeyedSemaphore;
  keys: KeysInUse;
  leftOut: TeamsLeftOut;
  /** Whether the team is left out of the batches, so that its retries also take its queued items. */
  isLeftOut: (queues: TeamQueues<Item, Value>) => boolean;
  /** Called after items of the team have possibly ended. It serves the queues of the team again. */
  onProgress: (queues: TeamQueues<Item, Value>) => void;
}

/**
 * The states *in a retry* and *individual* of the micro-batcher; `batcher.ts` describes all states. A team
 * has at most one retry and one individual item under way.
 */
export class Retries<Item, Value> {
  constructor(private readonly context: RetryContext<Item, Value>) {}

  /** Retries the team's items, and those that arrive during the retries. */
  async retry(queues: TeamQueues<Item, Value>): Promise<void> {
    const { semaphore, isLeftOut, onProgress } = this.context;
    if (queues.retrying) return;
    queues.retrying = true;
    let some: boolean;
    do some = await semaphore.run(queues.team, () => this.runRetry(queues));
    while (some && isLeftOut(queues));
    queues.retrying = false;
    onProgress(queues);
  }

  /** @returns whether there was an item. */
  private async runRetry(queues: TeamQueues<Item, Value>): Promise<boolean> {
    const { keys, transactions } = this.context;
    const retried = queues.takeToRetry(MAX_BATCH);
    const queued = queues.takeReady(keys, MAX_BATCH - retried.length);
    queues.retried += queued.length;
    const entries = [...retried, ...queued];
    if (entries.length === 0) return false;
    await transactions.run(entries, 'team', (entry, error) => {
      if (isLockTimeout(error)) this.tryAgain(entry, queues.toRetry, error);
      else {
        enqueue(entry, queues.individual);
        void this.runIndividuals(queues);
      }
    });
    return true;
  }

  private async runIndividuals(queues: TeamQueues<Item, Value>): Promise<void> {
    const { semaphore, onProgress } = this.context;
    if (queues.runningIndividually) return;
    queues.runningIndividually = true;
    while (queues.individual.length > 0) {
      await semaphore.run(queues.team, () => this.runIndividually(queues));
      // Queued items of the team may have waited for the key of the item that just ran.
      if (queues.individual.length > 0) onProgress(queues);
    }
    queues.runningIndividually = false;
    onProgress(queues);
  }

  /**
   * Runs the first of the team's individual items. If the item's locks are not free, it goes to
   * {@link tryAgain}.
   */
  private async runIndividually(queues: TeamQueues<Item, Value>): Promise<void> {
    const { transactions } = this.context;
    const [entry] = queues.individual;
    if (entry === undefined) return;
    dequeue(entry);
    await transactions.run([entry], 'all', (_, error) => {
      if (error === undefined || isLockTimeout(error)) {
        const notFree = new DatabaseBusyError('The locks were not free in time');
        this.tryAgain(entry, queues.individual, error ?? notFree);
      } else transactions.end(entry, () => entry.reject(error));
    });
  }

  /** Appends the item to the queue, or rejects it after {@link LOCK_WAITS} waits. */
  private tryAgain(entry: Entry<Item, Value>, queue: Entry<Item, Value>[], error: unknown): void {
    entry.lockWaits += 1;
    this.context.leftOut.add(entry.queues.team);
    if (entry.lockWaits === LOCK_WAITS) {
      this.context.transactions.end(entry, () => entry.reject(error));
    } else enqueue(entry, queue);
  }
}
