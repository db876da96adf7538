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
  /** How often it got more time behind other items of its key. */
  extensions: number;
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

  /** The first queued items whose keys are not in use, one of each key. */
  ready(keys: KeysInUse, max: number): Entry<Item, Value>[] {
    const ready: Entry<Item, Value>[] = [];
    const seen = new Set<string>();
    for (const entry of this.queued) {
      if (ready.length === max) break;
      const { key } = entry;
      if (key !== undefined && (keys.has(key) || seen.has(key))) continue;
      if (key !== undefined) seen.add(key);
      ready.push(entry);
    }
    return ready;
  }

  /** Removes the {@link ready} items from the queue. Their keys are in use from then on. */
  takeReady(keys: KeysInUse, max: number): Entry<Item, Value>[] {
    const ready = this.ready(keys, max);
    for (const entry of ready) keys.begin(entry);
    return ready;
  }

  /** Removes the first items to be retried. */
  takeToRetry(max: number): Entry<Item, Value>[] {
    const taken = this.toRetry.slice(0, max);
    taken.forEach(dequeue);
    return taken;
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

/**
 * The keys of items that have begun and are not done. An item begins when it leaves the queue `queued`. Of one
 * key, at most one item has begun.
 */
export class KeysInUse {
  private readonly keys = new Set<string>();

  has(key: string): boolean {
    return this.keys.has(key);
  }

  /** Removes an item from its queue. Its key is in use from then on. */
  begin<Item, Value>(entry: Entry<Item, Value>): void {
    dequeue(entry);
    if (entry.key !== undefined) this.keys.add(entry.key);
  }

  release(key: string | undefined): void {
    if (key !== undefined) this.keys.delete(key);
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
