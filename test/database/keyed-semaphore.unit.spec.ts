import { setImmediate as iterationOfEventLoop } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { DatabaseBusyError } from '../../src/database/database-errors.js';
import { LOCK_WAITS, QUEUE_TIMEOUT_MS, KeyedSemaphore } from '../../src/database/keyed-semaphore.js';

/** Work that begins when it gets a permit, and ends when the test says so. */
function gated(semaphore: KeyedSemaphore) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (team: string, name: string, withinMs?: number) =>
    semaphore.run(
      team,
      () => {
        begun.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      },
      withinMs,
    );
  const end = async (name: string) => {
    ends.get(name)?.();
    await iterationOfEventLoop();
  };
  return { begun, run, end };
}

function lockTimeout(): DatabaseError {
  const error = new DatabaseError('canceling statement due to lock timeout', 1, 'error');
  error.code = '55P03';
  return error;
}

test('limits the work of all teams and of one, and serves the teams’ queues round-robin', async () => {
  const { begun, run, end } = gated(new KeyedSemaphore(3, 2));
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) void run(name.charAt(0), name);
  await iterationOfEventLoop();
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  await end('a1');
  expect(begun.slice(3)).toEqual(['a3']);
  await end('b1');
  expect(begun.slice(4)).toEqual(['b2']);
  await end('a2');
  expect(begun.slice(5)).toEqual(['c1']);
});

test('releases the permit if the work fails', async () => {
  const semaphore = new KeyedSemaphore(1, 1);
  const failed = semaphore.run('a', () => Promise.reject(new Error('no')));
  await expect(failed).rejects.toThrow('no');
  expect(await semaphore.run('a', () => Promise.resolve('done'))).toBe('done');
});

test('refuses work that gets no permit in time, and does not start it', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  try {
    const { begun, run, end } = gated(new KeyedSemaphore(1, 1));
    void run('a', 'a1');
    const late = run('b', 'b1', QUEUE_TIMEOUT_MS).catch((error: unknown) => error);
    jest.advanceTimersByTime(QUEUE_TIMEOUT_MS);
    expect(await late).toBeInstanceOf(DatabaseBusyError);
    await end('a1');
    void run('b', 'b2');
    await iterationOfEventLoop();
    expect(begun).toEqual(['a1', 'b2']);
  } finally {
    jest.useRealTimers();
  }
});

test('repeats a transaction that got no lock in time, a limited number of times', async () => {
  const semaphore = new KeyedSemaphore(1, 1);
  let attempts = 0;
  const held = semaphore.runWithLocks('a', () => {
    attempts += 1;
    return Promise.reject(lockTimeout());
  });
  // Between two attempts another team is served.
  const other = semaphore.runWithLocks('b', () => Promise.resolve(attempts));
  expect(await other).toBeLessThan(3);
  await expect(held).rejects.toMatchObject({ code: '55P03' });
  expect(attempts).toBe(LOCK_WAITS);
});
