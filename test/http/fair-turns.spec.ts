import { FairTurns, MAX_POSTPONED_MS } from '../../src/http/fair-turns.js';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

interface Recorder {
  turns: FairTurns;
  /** Senders, in the order in which their work began. */
  begun: string[];
  add: (sender: string) => void;
}

function recorder(maxPerTurn: number, now?: () => number): Recorder {
  const turns = new FairTurns(maxPerTurn, now);
  const begun: string[] = [];
  return { turns, begun, add: (sender) => turns.add(sender, () => begun.push(sender)) };
}

test('work begins at once while a turn has room', () => {
  const { begun, add } = recorder(3);
  for (const sender of ['a', 'a', 'b']) add(sender);
  expect(begun).toEqual(['a', 'a', 'b']);
});

test('a burst is spread over turns, and another sender’s work begins in the next one', async () => {
  const { begun, add } = recorder(2);
  for (let n = 0; n < 10; n += 1) add('burst');
  expect(begun).toHaveLength(2);
  add('other');
  await nextTurn();
  expect(begun).toEqual(['burst', 'burst', 'burst', 'other']);
  await nextTurn();
  expect(begun).toHaveLength(6);
});

test('senders take turns', async () => {
  const { begun, add } = recorder(1);
  add('first');
  for (const sender of ['a', 'a', 'a', 'b', 'b', 'c']) add(sender);
  while (begun.length < 7) await nextTurn();
  expect(begun).toEqual(['first', 'a', 'b', 'c', 'a', 'b', 'a']);
});

test('a turn ends also when nothing waits', async () => {
  const { begun, add } = recorder(1);
  add('a');
  await nextTurn();
  add('a');
  expect(begun).toEqual(['a', 'a']);
});

test('no work begins while connections are accepted, for a bounded time', async () => {
  let now = 5_000;
  const { turns, begun, add } = recorder(1, () => now);
  turns.postpone();
  add('a');
  for (let turn = 0; turn < 10; turn += 1) {
    await nextTurn();
    turns.postpone();
  }
  expect(begun).toEqual([]);
  now += MAX_POSTPONED_MS;
  await nextTurn();
  expect(begun).toEqual(['a']);
});

test('work begins after a turn without a new connection, which also ends that time', async () => {
  let now = 5_000;
  const { turns, begun, add } = recorder(1, () => now);
  turns.postpone();
  add('a');
  while (begun.length === 0) await nextTurn();
  await nextTurn();
  now += 10_000;
  turns.postpone();
  add('b');
  expect(begun).toEqual(['a']);
  while (begun.length < 2) await nextTurn();
  expect(begun).toEqual(['a', 'b']);
});
