import { BatchTransactions } from './batch-transactions.js';
import { type BatchWork, type ItemBatcher, MAX_BATCH } from './batch-work.js';
import { DatabaseBusyError } from './database-errors.js';
import { dequeue, enqueue, type Entry, KeysInUse, Lane, TeamsLeftOut } from './lane.js';
import { Retries } from './retries.js';
import { QUEUE_TIMEOUT_MS, type TeamSemaphore } from './team-semaphore.js';

/*
 * The micro-batcher runs items that arrive at about the same time in one transaction. An item is in one of these states:
 *
 *   queued ──▶ in a batch ──▶ done
 *                  │ retryIndividually, or the batch failed
 *                  ▼
 *             to be retried ──▶ in a retry with others of its team ──▶ done
 *                                   │ retryIndividually, or the retry failed
 *                                   ▼
 *                               individual ──▶ done
 *
 * queued: in the queue of its team. A batch takes items from the teams' queues round-robin, so a long queue delays no
 *   other team.
 * in a batch: up to 16 items of any teams, in a transaction that only tries its locks. If no batch is under way, the next
 *   one begins at once. Otherwise it begins when the one before has ended, or after 20 ms.
 * to be retried: a lock that the item needs was not free. Items of one team are retried in one transaction, which waits
 *   for the team's lock. A team has one retry at a time. The team is left out of the batches until its retries are done,
 *   and for 5 seconds after a wait for a lock has timed out. Meanwhile its retries also take the items of its queue.
 * individual: the only item of a transaction that waits for all of its locks. A team has one such item at a time.
 *
 * A transaction waits for a lock for 100 ms. Then it is rolled back, and its connection is released until the next
 * attempt. An item has 30 attempts at most.
 * Retries and individual items need a permit of the semaphore, which bounds the connections that they occupy. Items with
 * the same key are processed in the order of their arrival: an item stays in the queue until those before it are done. An
 * item that has not begun its transaction after 10 seconds is refused.
 */

/** A batch that takes longer than this no longer delays the next one. */
const SLOW_AFTER_MS = 20;

/** Concurrent batches at most, however slow they are. */
const MAX_BATCHES = 4;

/**
 * In a batch of several teams, a team has at most so many times the items of the team with the fewest: all items of a batch
 * are answered when the last one is done.
 */
const LARGEST_SHARE = 2;

/** Items of one team in a batch at most while other teams send items, too: the next item of another team waits for the batch. */
const MAX_OF_TEAM = 8;

/** For so long after items of different teams have arrived, {@link MAX_OF_TEAM} applies. */
const SHARED_FOR_MS = 1_000;

/** See the states above. */
export class Batcher<Item, Value> implements ItemBatcher<Item, Value> {
  /** The teams with items, the one to be served next first. */
  private readonly lanes = new Map<string, Lane<Item, Value>>();
  private readonly keys = new KeysInUse();
  private readonly leftOut = new TeamsLeftOut();
  private readonly transactions: BatchTransactions<Item, Value>;
  private readonly retries: Retries<Item, Value>;
  private batches = 0;
  /** The batch that the next one waits for. */
  private awaited: Entry<Item, Value>[] | null = null;
  private starting = false;
  private lastTeam: string | null = null;
  /** When an item last arrived whose team was not that of the item before it. */
  private sharedAt = -Infinity;

  constructor(
    private readonly work: BatchWork<Item, Value>,
    semaphore: TeamSemaphore,
  ) {
    const { keys, leftOut } = this;
    this.transactions = new BatchTransactions(work, keys);
    this.retries = new Retries({
      transactions: this.transactions,
      semaphore,
      keys,
      leftOut,
      isLeftOut: (lane) => this.isLeftOut(lane),
      onProgress: (lane) => this.serveOrForget(lane),
    });
  }

  /** @throws what the transaction throws; DatabaseBusyError when the item was not done in time. */
  add(item: Item): Promise<Value> {
    return new Promise((resolve, reject) => {
      const lane = this.laneOf(item);
      this.noteTeam(lane.team);
      const entry: Entry<Item, Value> = {
        item,
        key: this.work.keyOf?.(item),
        lane,
        queue: null,
        expired: false,
        lockWaits: 0,
        resolve,
        reject,
        timer: setTimeout(() => this.expire(entry), QUEUE_TIMEOUT_MS),
      };
      enqueue(entry, lane.queued);
      this.serve(lane);
    });
  }

  private laneOf(item: Item): Lane<Item, Value> {
    const team = this.work.teamOf(item);
    let lane = this.lanes.get(team);
    if (lane === undefined) this.lanes.set(team, (lane = new Lane(team)));
    return lane;
  }

  private noteTeam(team: string): void {
    if (team === this.lastTeam) return;
    if (this.lastTeam !== null) this.sharedAt = performance.now();
    this.lastTeam = team;
  }

  /** Whether the team's items go into its retries. */
  private isLeftOut({ retried, team }: Lane<Item, Value>): boolean {
    return retried > 0 || this.leftOut.has(team);
  }

  private serve(lane: Lane<Item, Value>): void {
    if (!this.isLeftOut(lane)) this.startBatchSoon();
    // If no item is ready, the next item to end serves the lane again.
    else if (lane.toRetry.length > 0 || lane.ready(this.keys, 1).length > 0) void this.retries.retry(lane);
  }

  /** Serves a lane, or removes it if it has no items. */
  private serveOrForget(lane: Lane<Item, Value>): void {
    if (!lane.isEmpty) this.serve(lane);
    else if (this.lanes.get(lane.team) === lane) this.lanes.delete(lane.team);
  }

  /** Items of the same turn of the event loop share a batch. */
  private startBatchSoon(): void {
    if (this.starting || this.awaited !== null || this.batches === MAX_BATCHES) return;
    this.starting = true;
    setImmediate(() => {
      this.starting = false;
      const batch = this.nextBatch();
      if (batch.length > 0) void this.runBatch(batch);
    });
  }

  /** Takes items of the teams round-robin, until the batch is full, or has {@link LARGEST_SHARE} times the smallest share of each. */
  private nextBatch(): Entry<Item, Value>[] {
    const lanes = [...this.lanes.values()].filter((lane) => !this.isLeftOut(lane));
    const maxOfTeam = performance.now() - this.sharedAt < SHARED_FOR_MS ? MAX_OF_TEAM : MAX_BATCH;
    const ready = lanes
      .map((lane) => lane.ready(this.keys, maxOfTeam))
      .filter((entries) => entries.length > 0);
    const smallest = ready.length < 2 ? MAX_BATCH : Math.min(...ready.map(({ length }) => length));
    const batch: Entry<Item, Value>[] = [];
    for (let rank = 0; rank < Math.min(MAX_BATCH, LARGEST_SHARE * smallest); rank += 1) {
      const inTurn = ready.flatMap((entries) => entries[rank] ?? []);
      batch.push(...inTurn.slice(0, MAX_BATCH - batch.length));
      if (inTurn.length === 0 || batch.length === MAX_BATCH) break;
    }
    for (const { lane } of batch) {
      this.lanes.delete(lane.team);
      this.lanes.set(lane.team, lane);
    }
    for (const entry of batch) this.keys.begin(entry);
    return batch;
  }

  private async runBatch(batch: Entry<Item, Value>[]): Promise<void> {
    this.batches += 1;
    this.awaited = batch;
    const patience = setTimeout(() => this.startAfter(batch), SLOW_AFTER_MS);
    const lanes = new Set(batch.map(({ lane }) => lane));
    await this.transactions.run(batch, 'none', (entry) => {
      // The transaction may have set the item's team.
      entry.lane = this.laneOf(entry.item);
      lanes.add(entry.lane);
      entry.lane.retried += 1;
      enqueue(entry, entry.lane.toRetry);
    });
    this.batches -= 1;
    clearTimeout(patience);
    this.startAfter(batch);
    for (const lane of lanes) this.serveOrForget(lane);
  }

  private startAfter(batch: Entry<Item, Value>[]): void {
    if (this.awaited === batch) this.awaited = null;
    this.startBatchSoon();
  }

  private expire(entry: Entry<Item, Value>): void {
    entry.expired = true;
    const { lane, queue } = entry;
    if (queue === null) return;
    dequeue(entry);
    const refuse = () => entry.reject(new DatabaseBusyError('The queue of the team is too long'));
    if (queue === lane.queued) refuse();
    else this.transactions.end(entry, refuse);
    this.serveOrForget(lane);
  }
}
