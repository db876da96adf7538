/** If an address has this many unanswered first requests, its further new connections wait. */
export const MAX_UNANSWERED = 32;

/** While connections of an address wait, one of them is read in each interval of so many milliseconds. */
export const UNANSWERED_GAP_MS = 8;

/** The longest time for which a connection waits for the answers of others, in milliseconds. */
export const MAX_ANSWER_WAIT_MS = 1_000;

interface WaitingRead {
  begin: () => void;
  until: number;
}

/**
 * Delays first reads from the new connections of a client address (IPv6: /64) that has many unanswered first
 * requests.
 *
 * The process reads requests several times as fast as it answers them. Without the window, all requests of a
 * burst would be in memory at once, and each collection of V8 would copy their objects.
 *
 * Beyond {@link MAX_UNANSWERED}, one waiting connection is read for each first request that is answered. In
 * addition, one is read every {@link UNANSWERED_GAP_MS}. Requests that wait for a lock, or unfinished
 * bodies, therefore never keep other connections of the address from being read. Below {@link
 * MAX_UNANSWERED}, as many are read as there is room for. A connection that was read needs room until its
 * request arrives, but no longer than {@link UNANSWERED_GAP_MS}, because it may be idle.
 */
export class FirstRequestWindow {
  private readonly unanswered = new Map<string, number>();
  private readonly waiting = new Map<string, WaitingRead[]>();
  /** Connections that waited and were read, and whose requests have not arrived, by address. */
  private readonly expected = new Map<string, number>();
  private timer: NodeJS.Timeout | null = null;

  /** @param now in milliseconds. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Whether a new connection of the address may be read now. */
  isOpen(network: string): boolean {
    return !this.waiting.has(network) && (this.unanswered.get(network) ?? 0) < MAX_UNANSWERED;
  }

  /** @param begin is invoked when the connection may be read. */
  wait(network: string, begin: () => void): void {
    const read = { begin, until: this.now() + MAX_ANSWER_WAIT_MS };
    const queue = this.waiting.get(network);
    if (queue === undefined) this.waiting.set(network, [read]);
    else queue.push(read);
    this.timer ??= setInterval(() => this.onInterval(), UNANSWERED_GAP_MS).unref();
  }

  /** The first request of a connection has arrived. */
  begin(network: string): void {
    this.unanswered.set(network, (this.unanswered.get(network) ?? 0) + 1);
    const expected = this.expected.get(network);
    if (expected !== undefined) this.expected.set(network, Math.max(0, expected - 1));
  }

  /** A first request has been answered, or its client has left. */
  end(network: string): void {
    const left = (this.unanswered.get(network) ?? 1) - 1;
    if (left === 0) this.unanswered.delete(network);
    else this.unanswered.set(network, left);
    this.beginNext(network);
    this.fill(network);
  }

  private onInterval(): void {
    const now = this.now();
    this.expected.clear();
    for (const [network, queue] of this.waiting) {
      this.beginNext(network);
      while (queue[0] !== undefined && queue[0].until <= now) this.beginNext(network);
      this.fill(network);
    }
  }

  /** Begins reads while there is room. */
  private fill(network: string): void {
    const unanswered = this.unanswered.get(network) ?? 0;
    while (this.waiting.has(network) && unanswered + (this.expected.get(network) ?? 0) < MAX_UNANSWERED)
      this.beginNext(network);
  }

  private beginNext(network: string): void {
    const queue = this.waiting.get(network);
    if (queue === undefined) return;
    const next = queue.shift();
    if (queue.length === 0) this.waiting.delete(network);
    if (this.waiting.size === 0 && this.timer !== null) {
      clearInterval(this.timer);
      this.timer = null;
      this.expected.clear();
    } else this.expected.set(network, (this.expected.get(network) ?? 0) + 1);
    next?.begin();
  }
}
