import { Rotation } from './rotation.js';

/** Items that wait, first in first out by key. The keys are served round-robin, one item at a time. */
export class RoundRobinQueue<Item> {
  private readonly waiting = new Rotation<Item[]>();
  private count = 0;

  /** How many items wait. */
  get size(): number {
    return this.count;
  }

  add(key: string, item: Item): void {
    this.waiting.getOrAdd(key, () => []).push(item);
    this.count += 1;
  }

  /**
   * Removes items while the caller iterates. A key with further items is served again after the others, so
   * the iteration ends when no item is left.
   */
  *take(): Generator<Item, void> {
    for (const [key, items] of this.waiting) {
      const item = items.shift() as Item;
      if (items.length === 0) this.waiting.delete(key);
      else this.waiting.moveToEnd(key);
      this.count -= 1;
      yield item;
    }
  }
}
