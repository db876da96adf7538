/**
 * A body that is still being read after this time, in milliseconds, is slow. It is ended if another body of
 * its account needs memory.
 */
export const SLOW_MS = 1_000;

/** A body that holds bytes of a {@link BodyBudget}. */
export interface BodyHold {
  /**
   * Counts further bytes. If the account would then hold too much, this ends slow bodies of the account, the
   * oldest first, or this body.
   */
  take(bytes: number): void;
  /** Marks the body as read. From then on it is not ended to free memory for other bodies. */
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
 * The memory that the bodies of all requests in progress may hold in one process, shared among accounts. An
 * account is a team, a surface such as the operator's, or a client address.
 *
 * An account may hold at most as many bytes as are free in the whole budget. A single account can therefore
 * hold half of the budget, and two accounts a third each. Memory is always left for the next account, so a
 * single account cannot cause the bodies of others to be refused. If an account would exceed this limit, its
 * oldest unfinished body is ended if it is slow ({@link SLOW_MS}). Otherwise the body that needs more memory
 * is ended, because the least work was done for it.
 */
export class BodyBudget {
  private readonly ledger: Ledger;

  /** @param limit returns the current limit, in bytes. @param now returns the time, in milliseconds. */
  constructor(limit: () => number, now: () => number = () => performance.now()) {
    this.ledger = { held: 0, limit, now, accounts: new Map() };
  }

  /**
   * @param onEnd is called when the body was ended to free memory. All bytes of the body are released by
   *   then.
   */
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
