/** An item of the micro-batcher that is not done. */
export interface Entry<Item, Value> {
  item: Item;
  key: string | undefined;
  queues: TeamQueues<Item, Value>;
  /** The queue in which the item waits; null while a transaction has the item. */
  queue: Entry<Item, Value>[] | null;
  timer: NodeJS.Timeout;
  expired: boolean;
  /** How many waits for a lock have timed out. */
  lockWaits: number;
  resolve: (value: Value) => void;
  reject: (error: unknown) => void;
}

/** The items of one team that are not done, by state. */
export class TeamQueues<Item, Value> {
  readonly queued: Entry<Item, Value>[] = [];
  readonly toRetry: Entry<Item, Value>[] = [];
  readonly individual: Entry<Item, Value>[] = [];
  /** The number of items that are to be retried, in a retry, or individual. */
  retried = 0;
  retrying = false;
  runningIndividually = false;

  constructor(readonly team: string) {}

  get isEmpty(): boolean {
    return this.queued.length === 0 && this.retried === 0 && !this.retrying && !this.runningIndividually;
  }

  /** The first queued items whose keys are not in use. */
  ready(keys: KeysInUse, max: number): Entry<Item, Value>[] {
    const ready: Entry<Item, Value>[] = [];
    for (const entry of this.queued) {
      if (ready.length === max) break;
      if (keys.isFree(entry.key)) ready.push(entry);
    }
    return ready;
  }

  /** Removes the {@link ready} items from the queue. Their keys are in use from then on. */
  takeReady(keys: KeysInUse, max: number): Entry<Item, Value>[] {
    const ready = this.ready(keys, max);
    for (const entry of ready) keys.begin(entry);
    return ready;
  }

  /**
   * Removes the first items to be retried. Items with the same key leave the queue together. Otherwise one of
   * them could run individually beside the retry of another.
   *
   * @param max at least `MAX_BATCH`. The items of one key are never more than `MAX_BATCH`, because they began
   *   in one transaction.
   */
  takeToRetry(max: number): Entry<Item, Value>[] {
    const taken: Entry<Item, Value>[] = [];
    for (;;) {
      const [first] = this.toRetry;
      if (first === undefined) return taken;
      const ofSameKey =
        first.key === undefined ? [first] : this.toRetry.filter(({ key }) => key === first.key);
      if (taken.length + ofSameKey.length > max) return taken;
      ofSameKey.forEach(dequeue);
      taken.push(...ofSameKey);
    }
  }
}

export function enqueue<Item, Value>(entry: Entry<Item, Value>, queue: Entry<Item, Value>[]): void {
  entry.queue = queue;
  queue.push(entry);
}

export function dequeue<Item, Value>(entry: Entry<Item, Value>): void {
  entry.queue?.splice(entry.queue.indexOf(entry), 1);
  entry.queue = null;
}

/** The keys of items that have begun and are not done. An item begins when it leaves the queue `queued`. */
export class KeysInUse {
  private readonly items = new Map<string, number>();

  /** Whether a queued item may begin: it has no key, or no item that has begun has the same key. */
  isFree(key: string | undefined): boolean {
    return key === undefined || !this.items.has(key);
  }

  /** Removes an item from its queue. Its key is in use from then on. */
  begin<Item, Value>(entry: Entry<Item, Value>): void {
    dequeue(entry);
    const { key } = entry;
    if (key !== undefined) this.items.set(key, (this.items.get(key) ?? 0) + 1);
  }

  release(key: string | undefined): void {
    if (key === undefined) return;
    const others = (this.items.get(key) ?? 1) - 1;
    if (others === 0) this.items.delete(key);
    else this.items.set(key, others);
  }
}

/** A lock that was not free is probably still held, so its team would slow down the next batch. */
const LEFT_OUT_MS = 5_000;

/**
 * Teams whose items have waited for a lock in vain. A team is left out for {@link LEFT_OUT_MS} after its last
 * such wait.
 */
export class TeamsLeftOut {
  /** The instant until which each team is left out. The team with the earliest instant is first. */
  private readonly until = new Map<string, number>();

  add(team: string): void {
    const now = performance.now();
    for (const [other, until] of this.until) {
      if (until > now) break;
      this.until.delete(other);
    }
    this.until.delete(team);
    this.until.set(team, now + LEFT_OUT_MS);
  }

  has(team: string): boolean {
    return (this.until.get(team) ?? 0) > performance.now();
  }

  get size(): number {
    return this.until.size;
  }
}
