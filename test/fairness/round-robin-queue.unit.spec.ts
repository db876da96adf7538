import fc from 'fast-check';
import { RoundRobinQueue } from '../../src/fairness/round-robin-queue.js';

interface Item {
  key: string;
  /** Its position among all items, by arrival. */
  n: number;
}

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const keys = fc.array(key, { maxLength: 40 });

test('of items that all wait, the first of each key is served, then the second of each key, and so on', () => {
  fc.assert(
    fc.property(keys, (arrivals) => {
      const queue = new RoundRobinQueue<Item>();
      const items = arrivals.map((of, n): Item => ({ key: of, n }));
      for (const item of items) queue.add(item.key, item);
      expect(queue.size).toBe(items.length);
      expect([...queue.take()]).toEqual(byRank(items));
      expect(queue.size).toBe(0);
    }),
  );
});

/** Sorted by the position among the items of the key, and by the arrival of the key. */
function byRank(items: Item[]): Item[] {
  const arrivedAt = new Map<string, number>();
  const ranks = new Map<string, number>();
  const ranked = items.map((item) => {
    const rank = ranks.get(item.key) ?? 0;
    ranks.set(item.key, rank + 1);
    if (rank === 0) arrivedAt.set(item.key, item.n);
    return { item, rank };
  });
  const arrivalOf = ({ key: of }: Item) => arrivedAt.get(of) ?? 0;
  ranked.sort((one, other) => one.rank - other.rank || arrivalOf(one.item) - arrivalOf(other.item));
  return ranked.map(({ item }) => item);
}

test('with arrivals in between, the key that was served or arrived the longest ago is next', () => {
  fc.assert(
    // null: an item is taken.
    fc.property(fc.array(fc.option(key, { freq: 1 }), { maxLength: 60 }), (steps) => {
      const queue = new RoundRobinQueue<Item>();
      let waiting: Item[] = [];
      /** The step at which each waiting key arrived, or was served last. */
      const since = new Map<string, number>();
      steps.forEach((arriving, n) => {
        if (arriving !== null) {
          if (!waiting.some((item) => item.key === arriving)) since.set(arriving, n);
          const item = { key: arriving, n };
          waiting.push(item);
          queue.add(arriving, item);
          return;
        }
        const first = Math.min(...waiting.map((item) => since.get(item.key) ?? 0));
        const expected = waiting.find((item) => since.get(item.key) === first);
        const [taken] = queue.take();
        expect(taken).toEqual(expected);
        if (taken === undefined) return;
        waiting = waiting.filter((item) => item.n !== taken.n);
        since.set(taken.key, n);
        expect(queue.size).toBe(waiting.length);
      });
    }),
  );
});
