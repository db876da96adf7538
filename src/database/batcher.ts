import { DatabaseError } from 'pg';
import { DatabaseBusyError } from './database-errors.js';
import { Places, TURN_WITHIN_MS } from './places.js';

/** What a transaction of several says of one that would have to wait for somebody: it is done by itself. */
export const ALONE = Symbol('alone');

/** As many go together at most. */
export const MOST_TOGETHER = 16;

/** A group is waited for so long before another one begins beside it: what comes meanwhile goes together. */
const SLOW_AFTER_MS = 20;

/** As many groups are under way at most, however slow they are. */
const MOST_GROUPS = 4;

/** As many are done by themselves at a time, so that those who wait for a lock leave connections to others. */
export const MOST_ALONE = 5;

interface Waiting<Item, Result> {
  item: Item;
  timer: NodeJS.Timeout;
  resolve: (result: Result | typeof ALONE) => void;
  reject: (error: unknown) => void;
}

/**
 * Does in one transaction what is asked for at about the same time. What comes while nothing is under way goes at once: nobody waits
 * for company, only for those before, and not for long.
 */
export class Batcher<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private underWay = 0;
  /** The group for whose end the next one waits. */
  private awaited: Waiting<Item, Result>[] | null = null;
  /** Of those under way. */
  private readonly keys = new Set<unknown>();
  private starting = false;
  private readonly places = new Places(MOST_ALONE);

  /**
   * @param together does them in one transaction that waits for nobody for long; gives their results in order, and {@link ALONE} for
   *   those of whom it did nothing.
   * @param alone does one of these.
   * @param keyOf those with the same key follow upon each other: no two of them are under way.
   */
  constructor(
    private readonly together: (items: Item[]) => Promise<(Result | typeof ALONE)[]>,
    private readonly alone: (item: Item) => Promise<Result>,
    private readonly keyOf: (item: Item) => unknown = (item) => item,
  ) {}

  /** @throws what `together` or `alone` throw; DatabaseBusyError when it did not get its turn. */
  async add(item: Item): Promise<Result> {
    const result = await new Promise<Result | typeof ALONE>((resolve, reject) => {
      const timer = setTimeout(() => this.giveUp(entry), TURN_WITHIN_MS);
      const entry = { item, timer, resolve, reject };
      this.waiting.push(entry);
      this.startSoon();
    });
    return result === ALONE ? this.addAlone(item) : result;
  }

  /** Its key is free again afterwards, whatever came of it. */
  private async addAlone(item: Item): Promise<Result> {
    try {
      return await this.places.run(() => this.alone(item));
    } finally {
      this.keys.delete(this.keyOf(item));
      this.startSoon();
    }
  }

  /** Those who ask in this turn of the event loop go together. */
  private startSoon(): void {
    if (this.starting || this.awaited !== null || this.underWay === MOST_GROUPS) return;
    this.starting = true;
    setImmediate(() => {
      this.starting = false;
      const group = this.nextGroup();
      if (group.length > 0) void this.run(group);
    });
  }

  private nextGroup(): Waiting<Item, Result>[] {
    const group: Waiting<Item, Result>[] = [];
    this.waiting = this.waiting.filter((entry) => {
      const key = this.keyOf(entry.item);
      if (group.length === MOST_TOGETHER || this.keys.has(key)) return true;
      this.keys.add(key);
      group.push(entry);
      return false;
    });
    return group;
  }

  private async run(group: Waiting<Item, Result>[]): Promise<void> {
    this.underWay += 1;
    this.awaited = group;
    const patience = setTimeout(() => this.startAfter(group), SLOW_AFTER_MS);
    for (const { timer } of group) clearTimeout(timer);
    try {
      const results = await this.together(group.map(({ item }) => item));
      group.forEach((entry, index) => this.settle(entry, results[index] as Result | typeof ALONE));
    } catch (error) {
      for (const entry of group) {
        // All is undone for what may be the fault of one.
        if (isOfOne(error)) this.settle(entry, ALONE);
        else {
          this.keys.delete(this.keyOf(entry.item));
          entry.reject(error);
        }
      }
    } finally {
      this.underWay -= 1;
      clearTimeout(patience);
      this.startAfter(group);
    }
  }

  /** Who is done by himself is under way until then. */
  private settle({ item, resolve }: Waiting<Item, Result>, result: Result | typeof ALONE): void {
    if (result !== ALONE) this.keys.delete(this.keyOf(item));
    resolve(result);
  }

  private startAfter(group: Waiting<Item, Result>[]): void {
    if (this.awaited === group) this.awaited = null;
    this.startSoon();
  }

  private giveUp(entry: Waiting<Item, Result>): void {
    this.waiting = this.waiting.filter((other) => other !== entry);
    entry.reject(new DatabaseBusyError('No turn in time'));
  }
}

// SQLSTATE classes of what one statement's values, or somebody else's locks, may cause; the others say that Postgres is not well.
const OF_ONE = ['21', '22', '23', '40', '44', '54', '55', 'P0'];

function isOfOne(error: unknown): boolean {
  return error instanceof DatabaseError && OF_ONE.includes(error.code?.slice(0, 2) ?? '');
}
