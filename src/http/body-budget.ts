/**
 * Milliseconds after which a body that is still being read is slow, and is ended if others need its memory.
 */
export const SLOW_MS = 1_000;

/** A body that holds bytes of a {@link BodyBudget}. */
export interface BodyHold {
  /**
   * Takes further bytes. May end slow bodies of the same account that are still being read, the oldest first,
   * or this one.
   */
  take(bytes: number): void;
  /** The body is read. It is no longer ended to free memory for others. */
  complete(): void;
  /** Releases all bytes. */
  release(): void;
}

interface Account {
  bytes: number;
  /** Bodies that are still being read, in the order in which they began. */
  reading: Set<Hold>;
}

interface Ledger {
  held: number;
  limit: () => number;
  now: () => number;
  accounts: Map<string, Account>;
}

/**
 * The memory that the bodies of all requests in progress may hold in one process, shared among accounts:
 * teams, or addresses of clients.
 *
 * An account may hold as much as is free at that moment. A single account has half of the budget; two have a
 * third each. Memory is always left for the next account, so one client's bodies never cause another's to be
 * refused. If an account would exceed its part, its oldest unfinished body is ended, provided it has been
 * read for {@link SLOW_MS}. Otherwise the body that needs more memory is ended, because it has cost the
 * least.
 */
export class BodyBudget {
  private readonly ledger: Ledger;

  /** @param limit bytes, as of now. @param now in milliseconds. */
  constructor(limit: () => number, now: () => number = () => performance.now()) {
    this.ledger = { held: 0, limit, now, accounts: new Map() };
  }

  /** @param onEnd is called when the body is ended to free memory; it then holds none. */
  open(name: string, onEnd: () => void): BodyHold {
    return new Hold(this.ledger, name, onEnd);
  }

  /** Bytes held by all bodies. */
  get size(): number {
    return this.ledger.held;
  }
}

class Hold implements BodyHold {
  private readonly account: Account;
  private bytes = 0;
  private over = false;
  private readonly slowAt: number;

  constructor(
    private readonly ledger: Ledger,
    private readonly name: string,
    private readonly onEnd: () => void,
  ) {
    const { accounts } = ledger;
    let account = accounts.get(name);
    if (account === undefined) accounts.set(name, (account = { bytes: 0, reading: new Set() }));
    account.reading.add(this);
    this.account = account;
    this.slowAt = ledger.now() + SLOW_MS;
  }

  take(bytes: number): void {
    if (this.over) return;
    const { account, ledger } = this;
    this.add(bytes);
    while (account.bytes > ledger.limit() - ledger.held) {
      const [oldest = this] = account.reading;
      const ended = oldest.slowAt <= ledger.now() ? oldest : this;
      ended.release();
      ended.onEnd();
      if (ended === this) return;
    }
  }

  complete(): void {
    this.account.reading.delete(this);
  }

  release(): void {
    if (this.over) return;
    this.over = true;
    const { account, ledger, name } = this;
    this.add(-this.bytes);
    account.reading.delete(this);
    if (account.bytes === 0 && account.reading.size === 0 && ledger.accounts.get(name) === account) {
      ledger.accounts.delete(name);
    }
  }

  private add(bytes: number): void {
    this.bytes += bytes;
    this.account.bytes += bytes;
    this.ledger.held += bytes;
  }
}
