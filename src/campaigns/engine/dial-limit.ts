/** Limits how many dials are in progress at a time. */
export class DialLimit {
  private inProgress = 0;
  /** Dials that are kept free for calls which are being claimed. */
  private reserved = 0;
  private readonly waiting = new Set<() => void>();

  constructor(readonly most: number) {}

  /** How many more calls may be claimed now. */
  get free(): number {
    return Math.max(0, this.most - this.inProgress - this.reserved);
  }

  /** Keeps dials free for the calls that `claim` claims. */
  async reserve<T>(count: number, claim: () => Promise<T>): Promise<T> {
    this.reserved += count;
    try {
      return await claim();
    } finally {
      this.reserved -= count;
      this.wakeWaiting();
    }
  }

  /** Counts a dial until it has its answer. */
  count(dial: Promise<void>): void {
    this.inProgress += 1;
    const answered = () => {
      this.inProgress -= 1;
      this.wakeWaiting();
    };
    dial.then(answered, answered);
  }

  /** Waits until a dial has its answer or a reservation ends, or until the time is over. */
  async waitForChange(withinMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.max(0, withinMs));
      this.waiting.add(wake);
    });
  }

  private wakeWaiting(): void {
    for (const wake of [...this.waiting]) wake();
  }
}
