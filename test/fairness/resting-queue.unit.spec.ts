import { RestingQueue } from '../../src/fairness/resting-queue.js';

let now = 0;

beforeEach(() => {
  now = 0;
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

const endOfIteration = () => new Promise((resolve) => setImmediate(resolve));

/** @param took milliseconds that each piece of work takes. */
function recorder(took: number) {
  const queue = new RestingQueue();
  const begun: string[] = [];
  const add = (sender: string) =>
    queue.add(sender, () => {
      begun.push(sender);
      now += took;
    });
  return { queue, begun, add };
}

test('work begins at once if nothing rests', async () => {
  const { queue, begun, add } = recorder(5);
  add('a');
  expect(begun).toEqual(['a']);
  await endOfIteration();
  jest.advanceTimersByTime(5);
  add('a');
  expect(begun).toEqual(['a', 'a']);
  expect(queue.size).toBe(0);
});

test('the rest after a piece of work is as long as its iteration', async () => {
  const { begun, add } = recorder(8);
  add('a');
  add('a');
  await endOfIteration();
  jest.advanceTimersByTime(7);
  expect(begun).toEqual(['a']);
  jest.advanceTimersByTime(1);
  expect(begun).toEqual(['a', 'a']);
});

test('a rest takes 50 ms at most', async () => {
  const { begun, add } = recorder(500);
  add('a');
  add('a');
  await endOfIteration();
  jest.advanceTimersByTime(49);
  expect(begun).toEqual(['a']);
  jest.advanceTimersByTime(1);
  expect(begun).toEqual(['a', 'a']);
});

test('senders alternate, and the queue counts what waits', async () => {
  const { queue, begun, add } = recorder(1);
  for (const sender of ['a', 'a', 'a', 'b', 'b', 'c']) add(sender);
  expect(queue.size).toBe(5);
  for (let piece = 0; piece < 5; piece += 1) {
    await endOfIteration();
    jest.advanceTimersByTime(1);
  }
  expect(begun).toEqual(['a', 'a', 'b', 'c', 'a', 'b']);
  expect(queue.size).toBe(0);
});
