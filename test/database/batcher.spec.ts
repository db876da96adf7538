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

test('with nothing under way nobody waits for company; what comes meanwhile makes the next group', async () => {
  const { add, begun, end } = batcher();
  const first = add(1);
  await turnOfEventLoop();
  const rest = [add(2), add(3)];
  await turnOfEventLoop();
  expect(begun()).toEqual([[1]]);
  end(0);
  expect(await first).toEqual(['1 together']);
  await turnOfEventLoop();
  expect(begun()).toEqual([[1], [2, 3]]);
  end(1);
  await Promise.all(rest);
});

describe('by the clock', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
  afterEach(() => jest.useRealTimers());

  /** Adds these, each after the group of the one before has become slow. */
  async function addSlowly(
    { add }: ReturnType<typeof batcher>,
    items: number[],
  ): Promise<Promise<string[]>[]> {
    const answers: Promise<string[]>[] = [];
    for (const item of items) {
      answers.push(add(item));
      await turnOfEventLoop();
      jest.advanceTimersByTime(20);
      await turnOfEventLoop();
    }
    return answers;
  }

  test('a slow group is not waited for; but there are no more than four', async () => {
    const made = batcher();
    const answers = await addSlowly(made, [1, 2, 3, 4, 5]);
    expect(made.begun()).toEqual([[1], [2], [3], [4]]);
    made.end(2);
    await answers[2];
    await turnOfEventLoop();
    expect(made.begun()[4]).toEqual([5]);
    made.groups.forEach((_, index) => made.end(index));
    await Promise.all(answers);
  });

  test('who gets no turn is told so in time, and is not done later', async () => {
    const made = batcher();
    const slow = await addSlowly(made, [1, 2, 3, 4]);
    const late = made.add(5).catch((reason: unknown) => reason);
    jest.advanceTimersByTime(3_000);
    const answer = await late;
    expect(answer).toBeInstanceOf(DatabaseBusyError);
    expect(isDatabaseUnavailable(answer)).toBe(true);
    made.groups.forEach((_, index) => made.end(index));
    await Promise.all(slow);
    await turnOfEventLoop();
    expect(made.begun()).toEqual([[1], [2], [3], [4]]);
  });
});

test('no group is larger than is counted upon near a limit', async () => {
  const { add, begun, end } = batcher();
  const answers = add(...range(0, 2 * MOST_TOGETHER + 1));
  for (const group of [0, 1]) {
    await turnOfEventLoop();
    await turnOfEventLoop();
    expect(begun()[group]).toHaveLength(MOST_TOGETHER);
    end(group);
  }
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

test('those who are done alone keep their key until then, and are five at a time', async () => {
  const ends: (() => void)[] = [];
  const groups: number[][] = [];
  const made = new Batcher<number, string>(
    (items) => {
      groups.push(items);
      return Promise.resolve(items.map(() => ALONE));
    },
    (item) => new Promise((resolve) => ends.push(() => resolve(`${item} alone`))),
    (item) => item % 10,
  );
  const answers = [1, 2, 3, 4, 5, 6, 11].map((item) => made.add(item));
  for (let turn = 0; turn < 5; turn += 1) await turnOfEventLoop();
  expect(groups).toEqual([[1, 2, 3, 4, 5, 6]]);
  expect(ends).toHaveLength(5);
  for (let index = 0; index < 7; index += 1) {
    ends[index]?.();
    for (let turn = 0; turn < 5; turn += 1) await turnOfEventLoop();
  }
  expect(groups).toEqual([[1, 2, 3, 4, 5, 6], [11]]);
  expect(await Promise.all(answers)).toEqual([1, 2, 3, 4, 5, 6, 11].map((item) => `${item} alone`));
});

test('who gets no turn by himself in time leaves his key to the next one', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  try {
    const made = new Batcher<number, string>(
      (items) => Promise.resolve(items.map((item) => (item === 16 ? '16 together' : ALONE))),
      () => new Promise(() => undefined),
      (item) => item % 10,
    );
    const turns = async () => {
      for (let turn = 0; turn < 5; turn += 1) await turnOfEventLoop();
    };
    for (const item of [1, 2, 3, 4, 5]) void made.add(item);
    const late = made.add(6).catch((reason: unknown) => reason);
    await turns();
    jest.advanceTimersByTime(3_000);
    expect(await late).toBeInstanceOf(DatabaseBusyError);
    const next = made.add(16).catch((reason: unknown) => reason);
    await turns();
    jest.advanceTimersByTime(3_000);
    expect(await next).toBe('16 together');
  } finally {
    jest.useRealTimers();
  }
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
  ['57P01', databaseError('57P01')],
  ['57014', databaseError('57014')],
  ['53300', databaseError('53300')],
  ['a lost connection', new Error('connection lost')],
])(
  '%s, which says that Postgres is not well or that nobody knows, is the answer to all',
  async (_, error) => {
    const { groups, add } = batcher();
    const answers = [add(1), add(2)].map((answer) => answer.catch((reason: unknown) => reason));
    await turnOfEventLoop();
    groups[0]?.fail(error);
    expect(await Promise.all(answers)).toEqual([error, error]);
  },
);
