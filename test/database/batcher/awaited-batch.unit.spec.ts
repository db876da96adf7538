import { batcher, range, settled } from './manual-batcher.js';

// A batch must not become slow because the machine is busy.
beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
afterEach(() => jest.useRealTimers());

test('items of a team begin beside a burst of another team', async () => {
  const { add, begun } = batcher();
  void add(...range('a', 20));
  await settled();
  void add('b 0', 'c 0');
  await settled();
  expect(begun().slice(1)).toEqual([['none', 'b 0', 'c 0']]);
});

test('a team begins once beside a burst; after the burst, its items begin as usual', async () => {
  const { add, begun, transactions } = batcher();
  void add(...range('a', 16));
  await settled();
  void add('b 0');
  await settled();
  transactions[1]?.end();
  void add('b 1', 'a 16');
  await settled();
  expect(begun()).toHaveLength(2);
  transactions[0]?.end();
  await settled();
  expect(begun()[2]).toEqual(['none', 'a 16', 'b 1']);
});

test('more items than one batch holds begin in several beside a burst', async () => {
  const { add, begun } = batcher();
  void add(...range('a', 16));
  await settled();
  const teams = Array.from({ length: 20 }, (_, index) => `t${index} 0`);
  void add(...teams);
  await settled();
  expect(begun().slice(1)).toEqual([
    ['none', ...teams.slice(0, 16)],
    ['none', ...teams.slice(16)],
  ]);
});

test.each([
  ['has four items', range('a', 4)],
  ['has items of one team for no more than half', [...range('a', 3), ...range('b', 3)]],
])('all teams wait for a batch that %s', async (_name, items) => {
  const { add, begun, transactions } = batcher();
  void add(...items);
  await settled();
  void add('c 0');
  await settled();
  expect(begun()).toHaveLength(1);
  transactions[0]?.end();
  await settled();
  expect(begun()[1]).toEqual(['none', 'c 0']);
});

test('batches beside bursts count towards the four that run at once', async () => {
  const { add, begun } = batcher();
  void add(...range('a', 16));
  await settled();
  for (const team of ['b', 'c', 'd', 'e']) {
    void add(`${team} 0`);
    await settled();
  }
  expect(begun().slice(1)).toEqual([
    ['none', 'b 0'],
    ['none', 'c 0'],
    ['none', 'd 0'],
  ]);
});
