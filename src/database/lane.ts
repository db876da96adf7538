/** An item of the micro-batcher that is not done. */
export interface Entry<Item, Value> {
  item: Item;
  key: string | undefined;
  lane: Lane<Item, Value>;
  /** Where it waits; null while a transaction has it. */
  queue: Entry<Item, Value>[] | null;
  timer: NodeJS.Timeout;
  expired: boolean;
  /** How often a lock was waited for in vain. */
  lockWaits: number;
  resolve: (value: Value) => void;
  reject: (error: unknown) => void;
}

/** The items of one team. */
export class Lane<Item, Value> {
  readonly queued: Entry<Item, Value>[] = [];
  readonly toRetry: Entry<Item, Value>[] = [];
  readonly individual: Entry<Item, Value>[] = [];
  /** Items to be retried, in a retry, or individual. */
  retried = 0;
  retrying = false;
  runningIndividually = false;

  constructor(readonly team: string) {}

  get isEmpty(): boolean {
    return this.queued.length === 0 && this.retried === 0 && !this.retrying && !this.runningIndividually;
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
