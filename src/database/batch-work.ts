import { isLockTimeout } from './database-errors.js';

/** The result of a transaction for one of its items: the item is done, or nothing was done for it yet. */
export type ItemResult<Value> = { done: true; value: Value } | { done: false; retryIndividually: true };

export const RETRY: ItemResult<never> = { done: false, retryIndividually: true };

export function done<Value>(value: Value): ItemResult<Value> {
  return { done: true, value };
}

/**
 * The locks that a transaction waits for, each for at most `LOCK_WAIT_MS`. With `all`, the transaction waits
 * for the locks of the item's number and team. A transaction only tries its other advisory locks, such as
 * that of an `Idempotency-Key`.
 */
export type LocksToWaitFor = 'none' | 'team' | 'all';

/** What the micro-batcher does with its items. */
export interface BatchWork<Item, Value> {
  /**
   * One transaction.
   *
   * @param items if `locks` is `team`, items of one team; if it is `all`, one item. Always at most one item of
   *   each key ({@link keyOf}).
   * @returns their results, in order. With `team`, an item with `retryIndividually` runs individually next.
   * @throws with `team` or `all`, a lock timeout. The batcher then runs the items again. After `LOCK_WAITS`
   *   timeouts, an item is refused.
   */
  run: (items: Item[], locks: LocksToWaitFor) => Promise<ItemResult<Value>[]>;
  teamOf: (item: Item) => string;
  /** Items with the same key are done one after the other, each in another transaction. */
  keyOf?: (item: Item) => string;
}

/** Processes concurrent items in shared transactions. */
export interface ItemBatcher<Item, Value> {
  /** @throws what the transaction throws; DatabaseBusyError when the item was not done in time. */
  add(item: Item): Promise<Value>;
}

/**
 * Makes the batcher of one kind of items. All batchers share the bound on connections that wait for locks.
 */
export abstract class Batchers {
  abstract of<Item, Value>(work: BatchWork<Item, Value>): ItemBatcher<Item, Value>;
}

/**
 * For transactions that take no advisory locks and wait only for rows. If a retry of several items times out
 * on a row, each of its items runs individually next.
 */
export function retryOnLockTimeout<Value>(
  items: unknown[],
  locks: LocksToWaitFor,
  results: Promise<ItemResult<Value>[]>,
): Promise<ItemResult<Value>[]> {
  return results.catch((error: unknown) => {
    if (locks !== 'team' || !isLockTimeout(error)) throw error;
    return items.map(() => RETRY);
  });
}

/** The most items of one transaction. */
export const MAX_BATCH = 16;
