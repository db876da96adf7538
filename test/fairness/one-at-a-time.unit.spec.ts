import { setTimeout } from 'node:timers/promises';
import { OneAtATime } from '../../src/fairness/one-at-a-time.js';

/** Notes when each work begins and ends, in milliseconds. */
async function play(durations: number[]): Promise<{ began: number; ended: number }[]> {
  const queue = new OneAtATime();
  return Promise.all(
    durations.map((ms) =>
      queue.run(async () => {
        const began = performance.now();
        await setTimeout(ms);
        return { began, ended: performance.now() };
      }),
    ),
  );
}

/** A timer of Node may be early by a millisecond. */
const EARLY = 1;

test('work that waits starts after a rest twice as long as the work before it', async () => {
  const [first, second, third] = await play([20, 1, 1]);
  if (!first || !second || !third) throw new Error('not all were run');
  expect(second.began - first.ended).toBeGreaterThanOrEqual(2 * (20 - EARLY) - EARLY);
  expect(third.began).toBeGreaterThanOrEqual(second.ended);
});

test('a rest follows work after which nothing waits, also if the work failed', async () => {
  const queue = new OneAtATime();
  let ended = 0;
  const failing = queue.run(async () => {
    await setTimeout(20);
    ended = performance.now();
    throw new Error('failed');
  });
  await expect(failing).rejects.toThrow('failed');
  const began = await queue.run(() => Promise.resolve(performance.now()));
  expect(began - ended).toBeGreaterThanOrEqual(20 - 2 * EARLY);
});
