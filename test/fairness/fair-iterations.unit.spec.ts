import { FairIterations } from '../../src/fairness/fair-iterations.js';

const nextIteration = () => new Promise((resolve) => setImmediate(resolve));

interface Recorder {
  /** Senders, in the order in which their work began. */
  begun: string[];
  add: (sender: string) => void;
}

function recorder(maxPerIteration: number): Recorder {
  const iterations = new FairIterations(maxPerIteration);
  const begun: string[] = [];
  return { begun, add: (sender) => iterations.add(sender, () => begun.push(sender)) };
}

test('work starts at once while the iteration has room', () => {
  const { begun, add } = recorder(3);
  for (const sender of ['a', 'a', 'b']) add(sender);
  expect(begun).toEqual(['a', 'a', 'b']);
});

test('a burst is distributed over iterations, and another sender’s work starts in the next iteration', async () => {
  const { begun, add } = recorder(2);
  for (let n = 0; n < 10; n += 1) add('burst');
  expect(begun).toHaveLength(2);
  add('other');
  await nextIteration();
  expect(begun).toEqual(['burst', 'burst', 'burst', 'other']);
  await nextIteration();
  expect(begun).toHaveLength(6);
});

test('senders alternate', async () => {
  const { begun, add } = recorder(1);
  add('first');
  for (const sender of ['a', 'a', 'a', 'b', 'b', 'c']) add(sender);
  while (begun.length < 7) await nextIteration();
  expect(begun).toEqual(['first', 'a', 'b', 'c', 'a', 'b', 'a']);
});

test('an iteration ends also if no work waits', async () => {
  const { begun, add } = recorder(1);
  add('a');
  await nextIteration();
  add('a');
  expect(begun).toEqual(['a', 'a']);
});
