import { FairTurns } from '../../src/http/fair-turns.js';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Adds work that notes its sender. */
function recorder(maxPerTurn: number): { turns: FairTurns; begun: string[]; add: (sender: string) => void } {
  const turns = new FairTurns(maxPerTurn);
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
