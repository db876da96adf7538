import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { ALONE, Batcher, MOST_TOGETHER } from '../../src/database/batcher.js';
import { DatabaseBusyError, isDatabaseUnavailable } from '../../src/database/database-errors.js';

/** A group that was begun, to be ended by the test. */
interface Group {
  items: number[];
  end: (results: (string | typeof ALONE)[]) => void;
  fail: (error: unknown) => void;
}

/** A batcher of numbers; by itself, 7 becomes `7 alone`. */
function batcher(keyOf?: (item: number) => unknown) {
  const groups: Group[] = [];
  const made = new Batcher<number, string>(
    (items) => new Promise((end, fail) => groups.push({ items, end, fail })),
    (item) => Promise.resolve(`${item} alone`),
    keyOf,
  );
  const add = (...items: number[]) => Promise.all(items.map((item) => made.add(item)));
  const begun = () => groups.map(({ items }) => items);
  const end = (index: number) => groups[index]?.end(groups[index].items.map((item) => `${item} together`));
  return { groups, add, begun, end };
}

function databaseError(code: string): DatabaseError {
  const error = new DatabaseError('refused', 1, 'error');
  error.code = code;
  return error;
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

test('what comes in one turn of the event loop goes together, each with its own result', async () => {
  const { add, begun, end } = batcher();
  const answers = add(1, 2, 3);
  await turnOfEventLoop();
  expect(begun()).toEqual([[1, 2, 3]]);
  end(0);
  expect(await answers).toEqual(['1 together', '2 together', '3 together']);
});

test('with nothing under way nobody waits for company; with two groups under way the rest makes the next one', async () => {
  const { add, begun, end } = batcher();
  const first = add(1);
  await turnOfEventLoop();
  const second = add(2);
  await turnOfEventLoop();
  expect(begun()).toEqual([[1], [2]]);
  const rest = [add(3), add(4)];
  await turnOfEventLoop();
  expect(begun()).toHaveLength(2);
  end(1);
  expect(await second).toEqual(['2 together']);
  await turnOfEventLoop();
  expect(begun().slice(2)).toEqual([[3, 4]]);
  end(0);
  end(2);
  await Promise.all([first, ...rest]);
});

test('no group is larger than is counted upon near a limit', async () => {
  const { add, begun, end } = batcher();
  const answers = add(...range(0, 2 * MOST_TOGETHER + 1));
  await turnOfEventLoop();
  expect(begun().map(({ length }) => length)).toEqual([MOST_TOGETHER, MOST_TOGETHER]);
  end(0);
  end(1);
  await turnOfEventLoop();
  await turnOfEventLoop();
  expect(begun()[2]).toEqual([2 * MOST_TOGETHER]);
  end(2);
  expect(new Set(await answers).size).toBe(2 * MOST_TOGETHER + 1);
});

test('two of one key follow upon each other, in their order', async () => {
  const { add, begun, end } = batcher((item) => item % 10);
  const answers = add(1, 11, 2, 21);
  await turnOfEventLoop();
  expect(begun()).toEqual([[1, 2]]);
  end(0);
  await turnOfEventLoop();
  await turnOfEventLoop();
  expect(begun()[1]).toEqual([11]);
  end(1);
  await turnOfEventLoop();
  await turnOfEventLoop();
  expect(begun()[2]).toEqual([21]);
  end(2);
  await answers;
});

test('whoever would have to wait is done by itself, and the others are not', async () => {
  const { groups, add } = batcher();
  const answers = add(1, 2, 3);
  await turnOfEventLoop();
  groups[0]?.end(['1 together', ALONE, '3 together']);
  expect(await answers).toEqual(['1 together', '2 alone', '3 together']);
});

test.each(['22P02', '23505', '40P01', '55P03'])(
  'after %s, which one of them caused, each is done by itself',
  async (code) => {
    const { groups, add } = batcher();
    const answers = add(1, 2);
    await turnOfEventLoop();
    groups[0]?.fail(databaseError(code));
    expect(await answers).toEqual(['1 alone', '2 alone']);
  },
);

test.each([
  databaseError('57P01'),
  databaseError('57014'),
  databaseError('53300'),
  new Error('connection lost'),
])('what says that Postgres is not well, or that nobody knows, is the answer to all: %s', async (error) => {
  const { groups, add } = batcher();
  const answers = [add(1), add(2)].map((answer) => answer.catch((reason: unknown) => reason));
  await turnOfEventLoop();
  groups[0]?.fail(error);
  expect(await Promise.all(answers)).toEqual([error, error]);
});

test('who gets no turn is told so in time, and is not done later', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  try {
    const { groups, add, begun, end } = batcher();
    const stuck = [add(1)];
    await turnOfEventLoop();
    stuck.push(add(2));
    await turnOfEventLoop();
    const late = add(3).catch((reason: unknown) => reason);
    jest.advanceTimersByTime(3_000);
    const answer = await late;
    expect(answer).toBeInstanceOf(DatabaseBusyError);
    expect(isDatabaseUnavailable(answer)).toBe(true);
    groups.forEach((_, index) => end(index));
    await Promise.all(stuck);
    await turnOfEventLoop();
    expect(begun()).toEqual([[1], [2]]);
  } finally {
    jest.useRealTimers();
  }
});
