/** A body that holds bytes of a {@link BodyBudget}. */
export interface BodyHold {
  /** Takes further bytes. May end other bodies of the same account that are still being read, the oldest first, or this one. */
  take(bytes: number): void;
  /** The body is read; it is no longer ended for the sake of another. */
  complete(): void;
  /** Gives all bytes back. */
  release(): void;
}

interface Account {
  bytes: number;
  /** Bodies that are still being read, in the order in which they began. */
  reading: Set<Hold>;
}

/**
 * How much memory the bodies of all requests in flight may hold in one process, shared among accounts: teams, or
 * addresses of clients.
 *
 * An account may hold as much as is free at that moment. One account alone has half of the budget; two have a third
 * each. Room is always left for the next account, so one client's bodies never refuse another's. When an account
 * takes more, its own oldest unfinished body is ended: that is the slowest one.
 */
export class BodyBudget {
  private held = 0;
  private readonly accounts = new Map<string, Account>();

  /** @param limit bytes, as of now. */
  constructor(private readonly limit: () => number) {}

  /** @param onEnd is called when the body is ended to make room; it then holds nothing. */
  open(name: string, onEnd: () => void): BodyHold {
    const account = this.accounts.get(name) ?? { bytes: 0, reading: new Set() };
    this.accounts.set(name, account);
    const hold = new Hold(
      (bytes) => this.take(account, hold, bytes),
      () => this.release(name, account, hold),
      account.reading,
      onEnd,
    );
    account.reading.add(hold);
    return hold;
  }

  /** Bytes held by all bodies. */
  get size(): number {
    return this.held;
  }

  private take(account: Account, hold: Hold, bytes: number): void {
    hold.bytes += bytes;
    account.bytes += bytes;
    this.held += bytes;
    while (account.bytes > this.limit() - this.held) {
      const [oldest = hold] = account.reading;
      oldest.end();
      if (oldest === hold) return;
    }
  }

  private release(name: string, account: Account, hold: Hold): void {
    account.bytes -= hold.bytes;
    this.held -= hold.bytes;
    hold.bytes = 0;
    account.reading.delete(hold);
    if (account.bytes === 0 && account.reading.size === 0 && this.accounts.get(name) === account) {
      this.accounts.delete(name);
    }
  }
}

class Hold implements BodyHold {
  bytes = 0;
  private over = false;

  constructor(
    private readonly onTake: (bytes: number) => void,
    private readonly onRelease: () => void,
    private readonly reading: Set<Hold>,
    private readonly onEnd: () => void,
  ) {}

  take(bytes: number): void {
    if (!this.over) this.onTake(bytes);
  }

  complete(): void {
    this.reading.delete(this);
  }

  release(): void {
    if (this.over) return;
    this.over = true;
    this.onRelease();
  }

  end(): void {
    this.release();
    this.onEnd();
  }
}
