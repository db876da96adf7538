import { setImmediate as iterationOfEventLoop } from 'node:timers/promises';
import fc from 'fast-check';
import { FairSemaphore } from '../../src/fairness/fair-semaphore.js';

interface Work {
  key: string;
  begun: boolean;
  end: () => void;
}

const step = fc.oneof(
  fc.record({ begin: fc.constantFrom('a', 'b', 'c', 'd') }),
  // Ends one of the running pieces of work.
  fc.record({ end: fc.nat(20) }),
);

test('any course of work keeps the bounds, leaves no permit unused, and serves each key in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 4 }),
      fc.array(step, { maxLength: 50 }),
      async (permits, permitsPerKey, steps) => {
        const semaphore = new FairSemaphore(permits, permitsPerKey);
        const all: Work[] = [];
        /** The keys of work, in the order in which it began. */
        const order: string[] = [];
        /** For each key, how often each other key began while it could have begun itself. */
        const passedBy = new Map<string, Map<string, number>>();
        const running = (key?: string) =>
          all.filter((work) => work.begun && (key === undefined || work.key === key));
        const waiting = (key?: string) =>
          all.filter((work) => !work.begun && (key === undefined || work.key === key));
        const canBegin = (key: string) => waiting(key).length > 0 && running(key).length < permitsPerKey;

        for (const one of steps) {
          const ready = ['a', 'b', 'c', 'd'].filter(canBegin);
          const before = order.length;
          if ('begin' in one) {
            const work: Work = { key: one.begin, begun: false, end: () => undefined };
            all.push(work);
            void semaphore.run(work.key, () => {
              expect(waiting(work.key)[0]).toBe(work);
              work.begun = true;
              order.push(work.key);
              return new Promise<void>((resolve) => (work.end = resolve));
            });
          } else {
            const work = running()[one.end % Math.max(1, running().length)];
            if (work === undefined) continue;
            all.splice(all.indexOf(work), 1);
            work.end();
          }
          await iterationOfEventLoop();

          expect(running().length).toBeLessThanOrEqual(permits);
          for (const { key } of all) expect(running(key).length).toBeLessThanOrEqual(permitsPerKey);
          if (running().length < permits) expect(all.map(({ key }) => key).filter(canBegin)).toEqual([]);

          const begun = order.slice(before);
          for (const key of ready) {
            const counts = passedBy.get(key) ?? new Map<string, number>();
            passedBy.set(key, counts);
            for (const other of begun) counts.set(other, (counts.get(other) ?? 0) + 1);
            // Of the keys that could begin, none began twice before this one.
            for (const other of ready) if (other !== key) expect(counts.get(other) ?? 0).toBeLessThan(2);
          }
          for (const key of ['a', 'b', 'c', 'd']) {
            if (begun.includes(key) || !ready.includes(key)) passedBy.delete(key);
          }
        }
      },
    ),
  );
});

test('work that gets no permit in time is refused, and takes no permit later', async () => {
  const semaphore = new FairSemaphore(1, 1);
  let end!: () => void;
  const first = semaphore.run('a', () => new Promise<void>((resolve) => (end = resolve)));
  await expect(semaphore.run('b', () => Promise.resolve(), 0)).rejects.toThrow('no permit in time');
  end();
  await first;
  expect(await semaphore.run('b', () => Promise.resolve('done'))).toBe('done');
});
