import { setImmediate as iterationOfEventLoop } from 'node:timers/promises';
import { done, MAX_BATCH, RETRY } from '../../../src/database/batch-work.js';
import { LOCK_WAITS, KeyedSemaphore } from '../../../src/database/keyed-semaphore.js';
import { batcher, databaseError, range, retry, settled } from './manual-batcher.js';

// A batch must not become slow because the machine is busy.
beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
afterEach(() => jest.useRealTimers());

describe('batches', () => {
  test('contain the items of one iteration of the event loop; later items go to the next batch', async () => {
    const { add, begun, transactions } = batcher();
    const answers = add('a 1', 'b 1', 'a 2');
    await iterationOfEventLoop();
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

  test('take items from the teams’ queues round-robin', async () => {
    const { add, begun, transactions } = batcher();
    const answers = add(...range('a', 40), ...range('b', 4), ...range('c', 4));
    await settled();
    expect(begun()[0]).toHaveLength(1 + MAX_BATCH);
    expect(begun()[0]?.slice(1, 6)).toEqual(['a 0', 'b 0', 'c 0', 'a 1', 'b 1']);
    for (let batch = 0; batch < 5; batch += 1) {
      transactions[batch]?.end();
      await settled();
    }
    expect(new Set(await Promise.all(answers)).size).toBe(48);
    expect(begun().map((batch) => batch.length - 1)).toEqual([16, 8, 8, 8, 8]);
  });

  test('contain of each team at most twice as many items as of the team with the fewest', async () => {
    const { add, begun, transactions } = batcher();
    const answers = add(...range('a', 20), 'b 0');
    await settled();
    for (let batch = 0; batch < 4; batch += 1) {
      transactions[batch]?.end();
      await settled();
    }
    expect(begun()).toEqual([
      ['none', 'a 0', 'b 0', 'a 1'],
      ...[2, 10, 18].map((start) => ['none', ...range('a', 20).slice(start, start + 8)]),
    ]);
    await Promise.all(answers);
  });

  test('contain more than eight items of one team only while no other team sends items', async () => {
    const { add, begun, transactions } = batcher();
    const answers = add(...range('a', 20));
    await settled();
    expect(begun()[0]).toEqual(['none', ...range('a', 20).slice(0, MAX_BATCH)]);
    answers.push(...add('b 0', ...range('c', 10)));
    for (let batch = 0; batch < 4; batch += 1) {
      transactions[batch]?.end();
      await settled();
    }
    expect(begun().slice(1)).toEqual([
      ['none', 'a 16', 'b 0', 'c 0', 'a 17', 'c 1'],
      ['none', 'a 18', 'c 2', 'a 19', 'c 3', 'c 4', 'c 5'],
      ['none', 'c 6', 'c 7', 'c 8', 'c 9'],
    ]);
    await Promise.all(answers);
  });

  test('contain one item of a key; another item of the key goes to a later one', async () => {
    const { add, begun, transactions } = batcher({ keyed: true });
    const answers = add('a 1', 'a 1');
    await iterationOfEventLoop();
    answers.push(...add('a 2', 'a 1'));
    for (let batch = 0; batch < 3; batch += 1) {
      transactions[batch]?.end();
      await settled();
    }
    expect(begun()).toEqual([
      ['none', 'a 1'],
      ['none', 'a 1', 'a 2'],
      ['none', 'a 1'],
    ]);
    await Promise.all(answers);
  });
});

describe('retries', () => {
  test('contain items of one team and wait in its queue; other teams’ items continue in batches', async () => {
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

  test('that fail run individually, one item of a team at a time', async () => {
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

  test('with a held lock move behind the other items, keep their key, and are refused in the end', async () => {
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

  test('without the team’s lock in time start again with the items that arrived meanwhile', async () => {
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

  test('use at most the permits of the semaphore, round-robin by team', async () => {
    const { add, begun, transactions } = batcher({ semaphore: new KeyedSemaphore(2, 1) });
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
