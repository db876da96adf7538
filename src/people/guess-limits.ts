/** So many failures in a row are free. */
const FREE = 10;
const LONGEST_WAIT_MS = 60_000;
/** Failures are forgotten after an hour without another. */
const FORGOTTEN_MS = 3_600_000;
/** The most counts in memory. Beyond this number, the count that was changed the longest ago is removed. */
const MAX_COUNTS = 20_000;
/** The most accounts that a count of a network tells apart. */
const MAX_SHARES = 100;
const OTHERS = '';

interface Count {
  failures: number;
  /** The failures by account: a success of one account forgets only its own. */
  shares: Map<string, number>;
  /** Tries whose password is being checked. */
  underWay: number;
  /** Tries before this instant are refused. */
  until: number;
  changedAt: number;
}

/** A try that was let in. Exactly one of its functions is called. */
export interface Try {
  right(): void;
  wrong(): void;
  /** The password was not checked. */
  canceled(): void;
}

/**
 * How long the next try must wait, by account and by network. Only failures count: after ten in a row, tries are refused
 * for one second, and for twice as long after each further failure, up to a minute; the right password, too.
 *
 * The counts are in this process's memory, because each guess would write to a table: each of several API
 * processes lets ten in, and then one a minute.
 */
export class GuessLimits {
  private readonly counts = new Map<string, Count>();

  /** @param now the monotonic clock, in milliseconds. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * @param names of what is counted, such as the account and the network. @param account whose password is tried.
   * @returns the try, or the whole seconds to wait, at least 1.
   */
  begin(names: readonly string[], account: string): Try | number {
    const counts = names.map((name) => this.countOf(name));
    const waits = counts.map((count) => this.waitOf(count)).filter((wait) => wait > 0);
    if (waits.length > 0) return Math.max(1, Math.ceil(Math.max(...waits) / 1_000));
    for (const count of counts) count.underWay += 1;
    const end = (change: (count: Count) => void) => () => {
      for (const count of counts) {
        count.underWay -= 1;
        change(count);
      }
    };
    return {
      right: end((count) => forget(count, account)),
      wrong: end((count) => this.fail(count, account)),
      canceled: end(() => undefined),
    };
  }

  get size(): number {
    return this.counts.size;
  }

  /** In milliseconds. Many tries at once are no way around the limit: past it, one is under way at a time. */
  private waitOf({ until, failures, underWay }: Count): number {
    if (until > this.now()) return until - this.now();
    return underWay > 0 && failures + underWay >= FREE ? 1_000 : 0;
  }

  private fail(count: Count, account: string): void {
    const share = count.shares.has(account) || count.shares.size < MAX_SHARES ? account : OTHERS;
    count.shares.set(share, (count.shares.get(share) ?? 0) + 1);
    count.failures += 1;
    count.changedAt = this.now();
    if (count.failures < FREE) return;
    count.until = this.now() + Math.min(LONGEST_WAIT_MS, 1_000 * 2 ** (count.failures - FREE));
  }

  private countOf(name: string): Count {
    const known = this.counts.get(name);
    const fresh =
      known === undefined || (known.changedAt + FORGOTTEN_MS < this.now() && known.underWay === 0);
    const changedAt = this.now();
    const count = fresh
      ? { failures: 0, shares: new Map<string, number>(), underWay: 0, until: 0, changedAt }
      : known;
    // This puts the count at the end of the map. The one at the beginning is removed first.
    this.counts.delete(name);
    this.counts.set(name, count);
    const [oldest] = this.counts.keys();
    if (this.counts.size > MAX_COUNTS && oldest !== undefined) this.counts.delete(oldest);
    return count;
  }
}

function forget(count: Count, account: string): void {
  count.failures -= count.shares.get(account) ?? 0;
  count.shares.delete(account);
  if (count.failures < FREE) count.until = 0;
}
