import { Rotation } from '../../fairness/rotation.js';
import { AwaitedBatch } from './awaited-batch.js';
import { BatchTransactions } from './batch-transactions.js';
import { type BatchWork, type ItemBatcher, MAX_BATCH } from '../batch-work.js';
import { DatabaseBusyError } from '../database-errors.js';
import { dequeue, enqueue, type Entry, KeysInUse, TeamQueues, TeamsLeftOut } from './team-queues.js';
import { Retries } from './retries.js';
import { QUEUE_TIMEOUT_MS, type KeyedSemaphore } from '../keyed-semaphore.js';

/*
 * The micro-batcher runs items that arrive at about the same time in one transaction. An item is in one of
 * these states:
 *
 *   queued ──▶ in a batch ──▶ done
 *     │            │ retryIndividually, or the batch failed
 *     │            ▼
 *     │        to be retried
 *     │ the        │   ▲
 *     │ team is    │   │ lock timeout
 *     │ left out   ▼   │
 *     └───────▶ in a retry with others of its team ──▶ done
 *                  │ retryIndividually, or the retry failed otherwise
 *                  ▼
 *              individual ──▶ done
 *                 ▲  │
 *                 └──┘ a lock was not free
 *
 * A transaction returns `retryIndividually` for an item that it left out. After a batch, such an item does
 * not run individually yet: it is first retried with others of its team. After a retry, it runs
 * individually.
 *
 * Here "failed" means: the batch was rolled back, and one of its items may have caused that. After any other
 * error, such as a lost connection, all items of the transaction are rejected.
 *
 * - queued: in the queue of its team. A batch takes items from the teams' queues round-robin, so a long
 *   queue delays no other team.
 * - in a batch: up to 16 items of any teams, in a transaction that only tries its advisory locks. If no batch
 *   is under way, a batch begins at once. Otherwise it begins when the batch before it has ended, or 20 ms
 *   after that one began. A burst is a batch that is mostly of one team. A burst is awaited until it has
 *   ended or has run for 20 ms (`AwaitedBatch`). Meanwhile each team without an item in the burst may have
 *   items in one batch beside it. All other queued items wait at least until then for a batch. At most four
 *   batches run at a time.
 * - to be retried: a lock was not free, or the batch failed. Items of one team are retried in one
 *   transaction, which waits for the team's lock. A team has one retry at a time. The team is left out of the
 *   batches until its retried and individual items are done. It is also left out for 5 seconds after a retry
 *   or an individual item waited for a lock in vain. Meanwhile its retries also take the items of its queue.
 * - individual: the item has a transaction of its own. This transaction waits for the locks that the item
 *   needs. It only tries the lock of an `Idempotency-Key`. A team runs one such item at a time; its other
 *   individual items wait.
 *
 * A transaction waits at most 100 ms for each lock. If it waits in vain, it is rolled back. Its connection is
 * released until the next attempt. After 30 waits in vain, in retries and individually, the item is refused.
 *
 * Retries and individual items need a permit of the semaphore, which bounds the connections that they occupy.
 * Items with the same key (`BatchWork.keyOf`) run one after the other, in the order of their arrival. An item that is still in a
 * queue after 10 seconds is refused. If a transaction has the item at that time, the item is refused only if
 * the transaction leaves it undone.
 */

/** How often an item that waits behind another one of its key gets the time of an item once more. */
const MAX_EXTENSIONS = 2;

/** A batch that takes longer than this no longer delays the next one. */
const SLOW_AFTER_MS = 20;

/** The most concurrent batches, however slow they are. */
const MAX_BATCHES = 4;

/**
 * In a batch of several teams, each team has a limit of items. The limit is this number times the ready items
 * of the team that has fewest. The limit keeps batches short, because items are settled only when the whole
 * batch ends.
 */
const LARGEST_SHARE = 2;

/**
 * The most items of one team in a batch while other teams also send items. Their next items wait for this
 * batch, so it is kept short.
 */
const MAX_OF_TEAM = 8;

/** {@link MAX_OF_TEAM} applies for this long after an item whose team differs from the previous item's. */
const SHARED_FOR_MS = 1_000;

/** Runs concurrent items in batches. The comment above describes an item's states. */
export class Batcher<Item, Value> implements ItemBatcher<Item, Value> {
  /** The queues by team, in the order in which they are served. */
  private readonly teams = new Rotation<TeamQueues<Item, Value>>();
  private readonly keys = new KeysInUse();
  private readonly leftOut = new TeamsLeftOut();
  private readonly transactions: BatchTransactions<Item, Value>;
  private readonly retries: Retries<Item, Value>;
  private batches = 0;
  private readonly awaited = new AwaitedBatch<Item, Value>();
  private starting = false;
  private lastTeam: string | null = null;
  /** The last time that an item arrived directly after an item of another team. */
  private sharedAt = -Infinity;

  constructor(
    private readonly work: BatchWork<Item, Value>,
    semaphore: KeyedSemaphore,
  ) {
    const { keys, leftOut } = this;
    this.transactions = new BatchTransactions(work, keys);
    this.retries = new Retries({
      transactions: this.transactions,
      semaphore,
      keys,
      leftOut,
      isLeftOut: (queues) => this.isLeftOut(queues),
      onProgress: (queues) => this.serveOrForget(queues),
    });
  }

  /** @throws what the transaction throws; DatabaseBusyError when the item was not done in time. */
  add(item: Item): Promise<Value> {
    return new Promise((resolve, reject) => {
      const queues = this.queuesOf(item);
      this.recordTeam(queues.team);
      const entry: Entry<Item, Value> = {
        item,
        key: this.work.keyOf?.(item),
        queues,
        queue: null,
        expired: false,
        lockWaits: 0,
        extensions: 0,
        resolve,
        reject,
        timer: setTimeout(() => this.expire(entry), QUEUE_TIMEOUT_MS),
      };
      enqueue(entry, queues.queued);
      this.serve(queues);
    });
  }

  private queuesOf(item: Item): TeamQueues<Item, Value> {
    const team = this.work.teamOf(item);
    return this.teams.getOrAdd(team, () => new TeamQueues(team));
  }

  private recordTeam(team: string): void {
    if (team === this.lastTeam) return;
    if (this.lastTeam !== null) this.sharedAt = performance.now();
    this.lastTeam = team;
  }

  /** Whether the team is left out of the batches, so that its retries take its queued items. */
  private isLeftOut({ retried, team }: TeamQueues<Item, Value>): boolean {
    return retried > 0 || this.leftOut.has(team);
  }

  private serve(queues: TeamQueues<Item, Value>): void {
    if (this.isLeftOut(queues)) {
      // If none of the team's items is ready, the keys of all of them are in use. The team is served again
      // when an item with one of these keys ends.
      if (queues.toRetry.length > 0 || queues.ready(this.keys, 1).length > 0) void this.retries.retry(queues);
    } else if (!this.awaited.delays(queues.team)) this.startBatchSoon();
  }

  /** Serves a team, or removes its queues if it has no items. */
  private serveOrForget(queues: TeamQueues<Item, Value>): void {
    if (!queues.isEmpty) this.serve(queues);
    else if (this.teams.get(queues.team) === queues) this.teams.delete(queues.team);
  }

  /** Items that arrive in the same iteration of the event loop share a batch, up to {@link MAX_BATCH}. */
  private startBatchSoon(): void {
    if (this.starting || this.awaited.delaysAll || this.batches === MAX_BATCHES) return;
    this.starting = true;
    setImmediate(() => {
      this.starting = false;
      const batch = this.nextBatch();
      if (batch.length === 0) return;
      void this.runBatch(batch);
      this.startBatchSoon();
    });
  }

  /**
   * Takes ready items round-robin by team, at most {@link MAX_BATCH}. Of each team it takes no more than
   * {@link MAX_OF_TEAM} and {@link LARGEST_SHARE} allow.
   */
  private nextBatch(): Entry<Item, Value>[] {
    const maxOfTeam = performance.now() - this.sharedAt < SHARED_FOR_MS ? MAX_OF_TEAM : MAX_BATCH;
    const ready = [...this.teams]
      .filter(([team, queues]) => !this.isLeftOut(queues) && !this.awaited.delays(team))
      .map(([, queues]) => queues.ready(this.keys, maxOfTeam))
      .filter((entries) => entries.length > 0);
    const smallest = ready.length < 2 ? MAX_BATCH : Math.min(...ready.map(({ length }) => length));
    const batch: Entry<Item, Value>[] = [];
    for (let rank = 0; rank < Math.min(MAX_BATCH, LARGEST_SHARE * smallest); rank += 1) {
      const itemsOfRank = ready.flatMap((entries) => entries[rank] ?? []);
      batch.push(...itemsOfRank.slice(0, MAX_BATCH - batch.length));
      if (itemsOfRank.length === 0 || batch.length === MAX_BATCH) break;
    }
    for (const { queues } of batch) this.teams.moveToEnd(queues.team);
    for (const entry of batch) this.keys.begin(entry);
    return batch;
  }

  private async runBatch(batch: Entry<Item, Value>[]): Promise<void> {
    this.batches += 1;
    this.awaited.begin(batch);
    const slowTimer = setTimeout(() => this.startNextAfter(batch), SLOW_AFTER_MS);
    const teams = new Set(batch.map(({ queues }) => queues));
    await this.transactions.run(batch, 'none', (entry) => {
      // `teamOf` may return another team now, because the team of a report is looked up after a failure.
      entry.queues = this.queuesOf(entry.item);
      teams.add(entry.queues);
      entry.queues.retried += 1;
      enqueue(entry, entry.queues.toRetry);
    });
    this.batches -= 1;
    clearTimeout(slowTimer);
    this.startNextAfter(batch);
    for (const queues of teams) this.serveOrForget(queues);
  }

  private startNextAfter(batch: Entry<Item, Value>[]): void {
    this.awaited.release(batch);
    this.startBatchSoon();
  }

  private expire(entry: Entry<Item, Value>): void {
    const { queues, queue, key } = entry;
    // Items of one key run one after the other. While they do, those behind them have more time.
    if (
      queue === queues.queued &&
      key !== undefined &&
      this.keys.has(key) &&
      entry.extensions < MAX_EXTENSIONS
    ) {
      entry.extensions += 1;
      entry.timer = setTimeout(() => this.expire(entry), QUEUE_TIMEOUT_MS);
      return;
    }
    entry.expired = true;
    if (queue === null) return;
    dequeue(entry);
    const message = `The item was not done within ${QUEUE_TIMEOUT_MS / 1_000} seconds`;
    const refuse = () => entry.reject(new DatabaseBusyError(message));
    if (queue === queues.queued) refuse();
    else this.transactions.end(entry, refuse);
    this.serveOrForget(queues);
  }
}
