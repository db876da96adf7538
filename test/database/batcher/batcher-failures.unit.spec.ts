import { done, RETRY } from '../../../src/database/batch-work.js';
import { DatabaseBusyError, isDatabaseUnavailable } from '../../../src/database/database-errors.js';
import { TeamsLeftOut } from '../../../src/database/batcher/team-queues.js';
import { QUEUE_TIMEOUT_MS, KeyedSemaphore } from '../../../src/database/keyed-semaphore.js';
import { batcher, databaseError, range, retry, settled } from './manual-batcher.js';

// A batch must not become slow because the machine is busy.
beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
afterEach(() => jest.useRealTimers());

/** Adds these, each after the batch of the one before has become slow. */
async function addSlowly({ add }: ReturnType<typeof batcher>, items: string[]): Promise<Promise<string>[]> {
  const answers: Promise<string>[] = [];
  for (const item of items) {
    answers.push(...add(item));
    await settled();
    jest.advanceTimersByTime(20);
    await settled();
  }
  return answers;
}

describe('time limits', () => {
  test('a batch does not wait for a slow one, but at most four run at once', async () => {
    const made = batcher();
    const answers = await addSlowly(made, range('a', 5));
    expect(made.begun()).toHaveLength(4);
    made.transactions[2]?.end();
    await settled();
    expect(made.begun()[4]).toEqual(['none', 'a 4']);
    for (const { end } of made.transactions) end();
    await Promise.all(answers);
  });

  test('an item that does not start in time is refused and not executed later', async () => {
    const made = batcher();
    const slow = await addSlowly(made, range('a', 4));
    const [late] = made.add('a 4').map((answer) => answer.catch((reason: unknown) => reason));
    jest.advanceTimersByTime(QUEUE_TIMEOUT_MS);
    const answer = await late;
    expect(answer).toBeInstanceOf(DatabaseBusyError);
    expect(isDatabaseUnavailable(answer)).toBe(true);
    for (const { end } of made.transactions) end();
    await Promise.all(slow);
    await settled();
    expect(made.begun()).toHaveLength(4);
  });

  test.each(['a batch', 'a retry'])('an item that %s could not process in time is refused', async (where) => {
    const made = batcher();
    const [late] = made.add('a 1').map((answer) => answer.catch((reason: unknown) => reason));
    await settled();
    if (where === 'a retry') made.transactions[0]?.end(retry);
    await settled();
    jest.advanceTimersByTime(QUEUE_TIMEOUT_MS);
    made.transactions.at(-1)?.end(retry);
    expect(await late).toBeInstanceOf(DatabaseBusyError);
    const begun = made.begun().length;
    await settled();
    expect(made.begun()).toHaveLength(begun);
  });

  test('an item that fails individually after its time gets its own error', async () => {
    const { transactions, add } = batcher();
    const [late] = add('a 1').map((answer) => answer.catch((reason: unknown) => reason));
    await settled();
    transactions[0]?.end(retry);
    await settled();
    transactions[1]?.end(retry);
    await settled();
    jest.advanceTimersByTime(QUEUE_TIMEOUT_MS);
    const error = databaseError('23514');
    transactions[2]?.fail(error);
    expect(await late).toBe(error);
  });

  test('an item behind others of its key has three times as long', async () => {
    const made = batcher({ keyed: true });
    const [first, second, late] = made
      .add('a 1', 'a 1', 'a 1')
      .map((answer) => answer.catch((reason: unknown) => reason));
    await settled();
    jest.advanceTimersByTime(QUEUE_TIMEOUT_MS);
    made.transactions[0]?.end();
    await settled();
    expect(await first).toBe('a 1 none');
    jest.advanceTimersByTime(QUEUE_TIMEOUT_MS);
    made.transactions[1]?.end();
    expect(await second).toBe('a 1 none');
    await settled();
    jest.advanceTimersByTime(QUEUE_TIMEOUT_MS);
    made.transactions[2]?.end(retry);
    expect(await late).toBeInstanceOf(DatabaseBusyError);
  });

  test('an item that is refused while it waits for its retry releases its key', async () => {
    const semaphore = new KeyedSemaphore(1, 1);
    void semaphore.run('other', () => new Promise(() => undefined));
    const made = batcher({ keyed: true, semaphore });
    const [late] = made.add('a 1').map((answer) => answer.catch((reason: unknown) => reason));
    await settled();
    made.transactions[0]?.end(retry);
    await settled();
    jest.advanceTimersByTime(QUEUE_TIMEOUT_MS);
    expect(await late).toBeInstanceOf(DatabaseBusyError);
    const next = made.add('a 1');
    await settled();
    expect(made.begun()[1]).toEqual(['none', 'a 1']);
    made.transactions[1]?.end();
    expect(await Promise.all(next)).toEqual(['a 1 none']);
  });
});

test.each(['22P02', '23505', '40P01'])(
  'after %s by one item, each item is retried individually',
  async (code) => {
    const { transactions, add } = batcher();
    const answers = add('a 1', 'b 1');
    await settled();
    transactions[0]?.fail(databaseError(code));
    await settled();
    transactions[1]?.end();
    transactions[2]?.fail(databaseError(code));
    await settled();
    transactions[3]?.end();
    expect(await Promise.all(answers)).toEqual(['a 1 team', 'b 1 all']);
  },
);

test('an item waits for the retries of an earlier item with the same key', async () => {
  const { transactions, add, begun } = batcher({ keyed: true });
  const answers = add('a same', 'a same', 'a 1');
  for (const result of [retry, (item: string) => (item === 'a same' ? RETRY : done(item))]) {
    await settled();
    transactions.at(-1)?.end(result);
  }
  for (let last = 0; last < 2; last += 1) {
    await settled();
    transactions.at(-1)?.end();
  }
  await Promise.all(answers);
  expect(begun()).toEqual([
    ['none', 'a same', 'a 1'],
    ['team', 'a same', 'a 1'],
    ['all', 'a same'],
    ['none', 'a same'],
  ]);
});

test.each([
  ['57P01', databaseError('57P01')],
  ['57014', databaseError('57014')],
  ['53300', databaseError('53300')],
  ['a lost connection', new Error('connection lost')],
])('%s, which is a fault of Postgres, fails every item', async (_, error) => {
  const { transactions, add } = batcher();
  const answers = add('a 1', 'b 1').map((answer) => answer.catch((reason: unknown) => reason));
  await settled();
  transactions[0]?.fail(error);
  expect(await Promise.all(answers)).toEqual([error, error]);
});

test('a team whose waits for a lock ended in vain leaves the map of teams', () => {
  const leftOut = new TeamsLeftOut();
  for (let n = 0; n < 100; n += 1) leftOut.add(`team ${n}`);
  jest.advanceTimersByTime(5_000);
  expect(leftOut.has('team 99')).toBe(false);
  leftOut.add('another');
  expect(leftOut.size).toBe(1);
});
