import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { done, type LocksToWaitFor, MAX_BATCH, type Outcome, RETRY } from '../../src/database/batch-work.js';
import { Batcher } from '../../src/database/batcher.js';
import { DatabaseBusyError, isDatabaseUnavailable } from '../../src/database/database-errors.js';
import { TeamsApart } from '../../src/database/lane.js';
import { LOCK_WAITS, QUEUE_TIMEOUT_MS, TeamSemaphore } from '../../src/database/team-semaphore.js';

/** A transaction that was begun, to be ended by the test. */
interface Transaction {
  items: string[];
  locks: LocksToWaitFor;
  end: (outcome?: (item: string) => Outcome<string>) => void;
  fail: (error: unknown) => void;
}

/** Items are named `team number`; the number is the key. */
function batcher({ keyed = false, semaphore = new TeamSemaphore(5, 2) } = {}) {
  const transactions: Transaction[] = [];
  const made = new Batcher<string, string>(
    {
      run: (items, locks) =>
        new Promise((resolve, reject) =>
          transactions.push({
            ...{ items, locks, fail: reject },
            end: (outcome = (item) => done(`${item} ${locks}`)) => resolve(items.map(outcome)),
          }),
        ),
      teamOf: (item) => item.split(' ')[0] ?? '',
      ...(keyed ? { keyOf: (item: string) => item } : {}),
    },
    semaphore,
  );
  const add = (...items: string[]) => items.map((item) => made.add(item));
  const begun = () => transactions.map(({ items, locks }) => [locks, ...items]);
  return { transactions, add, begun };
}

// A batch must not become slow because the machine is busy.
beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
afterEach(() => jest.useRealTimers());

async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await turnOfEventLoop();
}

function databaseError(code: string): DatabaseError {
  const error = new DatabaseError('refused', 1, 'error');
  error.code = code;
  return error;
}

const range = (team: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${team} ${index}`);
const retry = () => RETRY;

describe('batches', () => {
  test('items of one turn of the event loop share one; those that come meanwhile, the next', async () => {
    const { add, begun, transactions } = batcher();
    const answers = add('a 1', 'b 1', 'a 2');
    await turnOfEventLoop();
    answers.push(...add('a 3', 'a 4'));
    await settled();
    expect(begun()).toEqual([['none', 'a 1', 'b 1', 'a 2']]);
    transactions[0]?.end();
    await settled();
    expect(begun()[1]).toEqual(['none', 'a 3', 'a 4']);
    transactions[1]?.end();
    expect(await Promise.all(answers)).toEqual(
      ['a 1', 'b 1', 'a 2', 'a 3', 'a 4'].map((item) => `${item} none`),
    );
  });

  test('are filled from the teams’ queues in turn', async () => {
    const { add, begun, transactions } = batcher();
    const answers = add(...range('a', 40), ...range('b', 2), 'c 0');
    await settled();
    expect(begun()[0]).toHaveLength(1 + MAX_BATCH);
    expect(begun()[0]?.slice(1, 6)).toEqual(['a 0', 'b 0', 'c 0', 'a 1', 'b 1']);
    for (let batch = 0; batch < 3; batch += 1) {
      transactions[batch]?.end();
      await settled();
    }
    expect(new Set(await Promise.all(answers)).size).toBe(43);
    expect(begun()).toHaveLength(3);
  });

  test('items with one key share one, or follow upon each other', async () => {
    const { add, begun, transactions } = batcher({ keyed: true });
    const answers = add('a 1', 'a 1');
    await turnOfEventLoop();
    answers.push(...add('a 2', 'a 1'));
    transactions[0]?.end();
    await settled();
    expect(begun()).toEqual([
      ['none', 'a 1', 'a 1'],
      ['none', 'a 2', 'a 1'],
    ]);
    transactions[1]?.end();
    await Promise.all(answers);
  });
});

describe('retries', () => {
  test('are of one team, and take its queue with them; other teams’ items go on in batches', async () => {
    const { add, begun, transactions } = batcher();
    const answers = add('a 1', 'a 2', 'b 1');
    await settled();
    transactions[0]?.end((item) => (item.startsWith('a') ? RETRY : done(item)));
    await settled();
    answers.push(...add('a 3', 'b 2'));
    await settled();
    expect(begun().slice(1)).toEqual([
      ['team', 'a 1', 'a 2'],
      ['none', 'b 2'],
    ]);
    transactions[2]?.end();
    transactions[1]?.end();
    await settled();
    // Nothing of the team is to be retried any more.
    expect(begun()[3]).toEqual(['none', 'a 3']);
    transactions[3]?.end();
    await Promise.all(answers);
  });

  test('what they cannot do either is done individually, one of a team at a time', async () => {
    const { add, begun, transactions } = batcher();
    const answers = add('a 1', 'a 2', 'a 3');
    await settled();
    transactions[0]?.end(retry);
    await settled();
    transactions[1]?.end((item) => (item === 'a 2' ? done(item) : RETRY));
    await settled();
    expect(begun().slice(1)).toEqual([
      ['team', 'a 1', 'a 2', 'a 3'],
      ['all', 'a 1'],
    ]);
    transactions[2]?.end();
    await settled();
    expect(begun()[3]).toEqual(['all', 'a 3']);
    transactions[3]?.end();
    expect(await Promise.all(answers)).toEqual(['a 1 all', 'a 2', 'a 3 all']);
  });

  test('an item whose lock is held goes behind the others, keeps its key, and is refused in the end', async () => {
    const { add, begun, transactions } = batcher({ keyed: true });
    const [held, other] = add('a 1', 'a 2');
    const refused = held?.catch((error: unknown) => error);
    await settled();
    transactions[0]?.end(retry);
    await settled();
    transactions[1]?.end(retry);
    await settled();
    transactions[2]?.fail(databaseError('55P03'));
    await settled();
    const [next] = add('a 1');
    transactions[3]?.end();
    expect(await other).toBe('a 2 all');
    for (let wait = 2; wait <= LOCK_WAITS; wait += 1) {
      await settled();
      expect(begun().at(-1)).toEqual(['all', 'a 1']);
      transactions.at(-1)?.fail(databaseError('55P03'));
    }
    expect(await refused).toMatchObject({ code: '55P03' });
    await settled();
    // The lock may be held still.
    expect(begun().at(-1)).toEqual(['team', 'a 1']);
    transactions.at(-1)?.end();
    await next;
    jest.advanceTimersByTime(5_000);
    const later = add('a 1');
    await settled();
    expect(begun().at(-1)).toEqual(['none', 'a 1']);
    transactions.at(-1)?.end();
    await Promise.all(later);
  });

  test('begin again where the team’s lock was not free in time, with those that came meanwhile', async () => {
    const { add, begun, transactions } = batcher();
    const answers = add('a 1', 'a 2');
    await settled();
    transactions[0]?.fail(databaseError('55P03'));
    await settled();
    answers.push(...add('a 3'));
    transactions[1]?.fail(databaseError('55P03'));
    await settled();
    expect(begun().slice(1)).toEqual([
      ['team', 'a 1', 'a 2'],
      ['team', 'a 1', 'a 2', 'a 3'],
    ]);
    transactions[2]?.end();
    expect(await Promise.all(answers)).toEqual(['a 1 team', 'a 2 team', 'a 3 team']);
  });

  test('occupy no more than the semaphore permits, the teams in turn', async () => {
    const { add, begun, transactions } = batcher({ semaphore: new TeamSemaphore(2, 1) });
    const answers = add('a 1', 'a 2', 'b 1', 'c 1');
    await settled();
    transactions[0]?.end(retry);
    await settled();
    expect(begun().slice(1)).toEqual([
      ['team', 'a 1', 'a 2'],
      ['team', 'b 1'],
    ]);
    transactions[1]?.end();
    await settled();
    expect(begun().slice(3)).toEqual([['team', 'c 1']]);
    transactions[2]?.end();
    transactions[3]?.end();
    await Promise.all(answers);
  });
});

describe('by the clock', () => {
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

  test('a slow batch is not waited for; but there are no more than four', async () => {
    const made = batcher();
    const answers = await addSlowly(made, range('a', 5));
    expect(made.begun()).toHaveLength(4);
    made.transactions[2]?.end();
    await settled();
    expect(made.begun()[4]).toEqual(['none', 'a 4']);
    for (const { end } of made.transactions) end();
    await Promise.all(answers);
  });

  test('an item that does not begin in time is refused, and not done later', async () => {
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

  test('one that is refused while it waits to be retried leaves its key to the next', async () => {
    const semaphore = new TeamSemaphore(1, 1);
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
  'after %s, which one of them caused, each is retried',
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

test.each([
  ['57P01', databaseError('57P01')],
  ['57014', databaseError('57014')],
  ['53300', databaseError('53300')],
  ['a lost connection', new Error('connection lost')],
])('%s, which says that Postgres is not well, is the answer to all', async (_, error) => {
  const { transactions, add } = batcher();
  const answers = add('a 1', 'b 1').map((answer) => answer.catch((reason: unknown) => reason));
  await settled();
  transactions[0]?.fail(error);
  expect(await Promise.all(answers)).toEqual([error, error]);
});

test('teams that waited for a lock in vain are forgotten', () => {
  const apart = new TeamsApart();
  for (let n = 0; n < 100; n += 1) apart.add(`team ${n}`);
  jest.advanceTimersByTime(5_000);
  expect(apart.has('team 99')).toBe(false);
  apart.add('another');
  expect(apart.size).toBe(1);
});
