import { ACCEPTING_GAP_MS, FairIterations, MAX_ACCEPTING_MS } from '../../src/fairness/fair-iterations.js';

const nextIteration = () => new Promise((resolve) => setImmediate(resolve));

interface Recorder {
  iterations: FairIterations;
  /** Senders, in the order in which their work began. */
  begun: string[];
  add: (sender: string) => void;
}

function recorder(maxPerIteration: number, now?: () => number): Recorder {
  const iterations = new FairIterations(maxPerIteration, now);
  const begun: string[] = [];
  return { iterations, begun, add: (sender) => iterations.add(sender, () => begun.push(sender)) };
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

describe('while connections are accepted', () => {
  const START = 5_000;

  /** Iterations of the event loop that accept a connection each. */
  async function acceptFor(iterations: FairIterations, count: number): Promise<void> {
    for (let iteration = 0; iteration < count; iteration += 1) {
      iterations.onAccepted();
      await nextIteration();
    }
  }

  test('a sender’s burst is delayed to single requests, and another sender’s request starts at once', async () => {
    let now = START;
    const { iterations, begun, add } = recorder(4, () => now);
    iterations.onAccepted();
    for (let n = 0; n < 5; n += 1) add('burst');
    await acceptFor(iterations, 5);
    expect(begun).toEqual(['burst']);
    add('other');
    await acceptFor(iterations, 2);
    expect(begun).toEqual(['burst', 'other']);
    now += ACCEPTING_GAP_MS;
    await acceptFor(iterations, 5);
    expect(begun).toEqual(['burst', 'other', 'burst']);
    // An iteration without a connection, and the one after it.
    await nextIteration();
    await nextIteration();
    expect(begun).toHaveLength(6);
  });

  test('the delay of a burst is limited', async () => {
    let now = START;
    const { iterations, begun, add } = recorder(1, () => now);
    iterations.onAccepted();
    for (let n = 0; n < 3; n += 1) add('a');
    await acceptFor(iterations, 3);
    expect(begun).toHaveLength(1);
    now += MAX_ACCEPTING_MS;
    await acceptFor(iterations, 2);
    expect(begun).toHaveLength(3);
  });

  test('connections that open without pause get a tenth of the time', async () => {
    let now = START;
    const { iterations, begun, add } = recorder(1, () => now);
    const acceptBurst = async (ms: number) => {
      iterations.onAccepted();
      now += ms;
      // The burst ends with an iteration without a connection.
      await nextIteration();
      await nextIteration();
      await nextIteration();
    };
    await acceptBurst(MAX_ACCEPTING_MS);
    iterations.onAccepted();
    for (let n = 0; n < 3; n += 1) add('a');
    await acceptFor(iterations, 3);
    expect(begun).toHaveLength(3);
    await nextIteration();
    await nextIteration();
    now += 1_000;
    iterations.onAccepted();
    for (let n = 0; n < 3; n += 1) add('b');
    await acceptFor(iterations, 3);
    expect(begun.filter((sender) => sender === 'b')).toHaveLength(1);
    now += 100;
    await acceptFor(iterations, 3);
    expect(begun.filter((sender) => sender === 'b')).toHaveLength(3);
  });
});
